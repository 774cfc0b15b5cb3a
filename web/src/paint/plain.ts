// The painter of any world: discs of the size that the schema says, in the colours of their users.

import { fade, type Colour, type Style } from "../marks";
import { nameOf } from "../names";
import type { Records } from "../records";
import { placed, type World } from "../schema";
import type { Painter, Picture, Score } from "./painter";

const LEAST = 3; // pixels that even the smallest thing has as its radius

export class PlainPainter implements Painter {
  readonly avatar: number;

  constructor(protected readonly world: World) {
    this.avatar = world.kinds.findIndex((k) => placed(k) && k.radius > 0);
  }

  ground(p: Picture, _r: Records, _beginning?: Records) {
    const [x0, y0, x1, y1] = this.world.bounds;
    p.marks.box((x0 + x1) / 2, (y0 + y1) / 2, (x1 - x0) / 2, (y1 - y0) / 2, 0, 0,
      { fill: p.theme.colour("floor"), edge: p.theme.colour("wall"), width: 2 });
  }

  bodies(p: Picture, r: Records) {
    for (let i = 0; i < r.length; i++) {
      const kind = this.world.kinds[r.kind(i)];
      if (!placed(kind)) continue;
      const own = r.own(i);
      const dead = this.dead(r, i);
      const colour = dead ? p.theme.colour("nobody") : p.theme.user(r.user(i));
      const radius = this.size(p, r, i);
      if (own) p.marks.disc(r.x(i), r.y(i), radius * 1.7, { fill: fade(p.theme.colour("accent"), 0.22) });
      p.marks.disc(r.x(i), r.y(i), radius, {
        fill: fade(colour, dead ? 0.4 : 0.9), edge: p.theme.colour(own ? "accent" : "edge"), width: own ? 2.5 : 1,
      });
    }
  }

  outline(p: Picture, r: Records, i: number, colour: Colour, inset: number) {
    if (!placed(this.world.kinds[r.kind(i)])) return;
    const size = this.size(p, r, i);
    p.marks.disc(r.x(i), r.y(i), Math.max(size - inset / p.camera.scale, size / 4), ring(colour, inset));
  }

  protected size(p: Picture, r: Records, i: number): number {
    return Math.max(this.world.kinds[r.kind(i)].radius, LEAST / p.camera.scale);
  }

  // dead says whether a flag of that name is set.
  private dead(r: Records, i: number): boolean {
    const v = this.world.kinds[r.kind(i)].variables.find((v) => v.name === "dead" && v.type === "flag");
    return v?.attr !== undefined && r.attr(i, v.attr) !== 0;
  }

  scores(_: Records): Score[] {
    return [];
  }

  nameOf(r: Records, i: number): string {
    return nameOf(r.user(i));
  }
}

// ring is how outlines are drawn.
export function ring(colour: Colour, inset: number): Style {
  return { fill: inset === 0 ? fade(colour, 0.22) : undefined, edge: colour, width: 1.8 };
}

// sorted puts the best first.
export function sorted(list: Score[]): Score[] {
  return list.sort((a, b) => b.value - a.value || a.user - b.user);
}
