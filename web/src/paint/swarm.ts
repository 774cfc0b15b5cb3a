// Bees around their queen.

import { fade, mix, type Colour } from "../marks";
import type { Records } from "../records";
import { attrOf, kindOf, type World } from "../schema";
import { PlainPainter, sorted } from "./plain";
import type { Picture, Score } from "./painter";

const SPRINGY = 4; // from which speed on a bee looks where it flies

export class SwarmPainter extends PlainPainter {
  private readonly queen: number;
  private readonly bee: number;
  private readonly honey: number;
  private readonly store: number;
  private readonly deadAttr: number;
  private readonly headings = new Map<bigint, number>(); // where bees look, by ID

  constructor(w: World) {
    super(w);
    this.queen = kindOf(w, "queen");
    this.bee = kindOf(w, "bee");
    this.honey = kindOf(w, "honey");
    this.store = attrOf(w, "honey", "honey");
    this.deadAttr = attrOf(w, "bee", "dead");
  }

  override bodies(p: Picture, r: Records) {
    for (let i = 0; i < r.length; i++) if (r.kind(i) === this.queen) this.paintQueen(p, r, i);
    for (let i = 0; i < r.length; i++) if (r.kind(i) === this.bee) this.paintBee(p, r, i);
  }

  private heading(r: Records, i: number): number {
    const speed = Math.hypot(r.vx(i), r.vy(i));
    const angle = speed > SPRINGY ? Math.atan2(r.vy(i), r.vx(i)) : (this.headings.get(r.id(i)) ?? 0);
    this.headings.set(r.id(i), angle);
    return angle;
  }

  // paintQueen draws her, and the scent that fades with the distance at which honey is earned.
  private paintQueen(p: Picture, r: Records, i: number) {
    const x = r.x(i), y = r.y(i), size = this.world.kinds[this.queen].radius;
    const gold = p.theme.colour("queen");
    for (const share of [0.9, 0.6, 0.3]) {
      p.marks.disc(x, y, 130 * share, { fill: fade(gold, 0.07), soft: 110 * share });
    }
    this.insect(p, x, y, size, this.heading(r, i), gold, 1, 9);
    p.marks.disc(x, y, size * 1.12, { edge: fade(gold, 0.8), width: 2 });
  }

  private paintBee(p: Picture, r: Records, i: number) {
    const x = r.x(i), y = r.y(i), size = this.world.kinds[this.bee].radius;
    const own = r.own(i), dead = r.attr(i, this.deadAttr) !== 0;
    const colour = p.theme.user(r.user(i));
    if (own) {
      p.marks.disc(x, y, size * 2.1, { fill: fade(p.theme.colour("accent"), dead ? 0.1 : 0.2) });
      p.marks.disc(x, y, size * 2.1, { edge: fade(p.theme.colour("accent"), 0.9), width: 1.5 });
    }
    if (dead) {
      this.insect(p, x, y, size, this.heading(r, i), p.theme.colour("nobody"), 0.45, 0);
      for (const turn of [-1, 1]) {
        const d = size * 0.42;
        p.marks.line(x - d, y - d * turn, x + d, y + d * turn, size * 0.1, p.theme.colour("bad"));
      }
      return;
    }
    this.insect(p, x, y, size, this.heading(r, i), colour, 1, 22 + Number(r.id(i) % 7n));
  }

  // insect draws wings, a body with stripes, and a head.
  private insect(p: Picture, x: number, y: number, size: number, angle: number, colour: Colour, opacity: number, beat: number) {
    const c = Math.cos(angle), s = Math.sin(angle);
    const at = (along: number, across: number): [number, number] => [x + (along * c - across * s) * size, y + (along * s + across * c) * size];
    const dark = p.theme.colour("stripe");
    const spread = 0.5 + 0.25 * Math.sin(p.seconds * beat * 2);
    for (const side of [-1, 1]) {
      const [wx, wy] = at(0.02, side * 0.58);
      p.marks.box(wx, wy, size * 0.55, size * 0.26, angle + side * (Math.PI / 2 + spread * 0.5), size, { fill: fade(p.theme.colour("wing"), opacity * 0.75) });
    }
    p.marks.box(x, y, size * 0.92, size * 0.55, angle, size, { fill: fade(colour, opacity), edge: fade(mix(colour, dark, 0.5), opacity), width: 1 });
    for (const along of [-0.42, -0.05]) {
      const [bx, by] = at(along, 0);
      p.marks.box(bx, by, size * 0.09, size * 0.5, angle, size * 0.06, { fill: fade(dark, opacity * 0.8) });
    }
    const [hx, hy] = at(0.72, 0);
    p.marks.disc(hx, hy, size * 0.3, { fill: fade(dark, opacity * 0.9) });
  }

  override outline(p: Picture, r: Records, i: number, colour: Colour, inset: number) {
    if (r.kind(i) !== this.honey) super.outline(p, r, i, colour, inset);
  }

  override scores(r: Records): Score[] {
    const list: Score[] = [];
    for (let i = 0; i < r.length; i++) {
      if (r.kind(i) === this.honey) list.push({ user: r.user(i), value: r.attr(i, this.store) });
    }
    return sorted(list);
  }
}
