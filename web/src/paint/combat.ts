// Tanks, planes and missiles over country with ridges.

import { fade, mix, type Colour } from "../marks";
import { nameOf } from "../names";
import type { Records } from "../records";
import { attrOf, kindOf, type World } from "../schema";
import type { Picture, Score } from "./painter";
import { PlainPainter, sorted } from "./plain";

const GRID = 100; // m between lines, by which one sees that one moves
const LEAST = 9; // pixels that a unit has at least as its radius
const RIDGE = 9; // m that a ridge is wide, to each side
const FLASH = 0.45; // seconds that a hit is seen
const HITS = 40; // that are seen at a time at most

interface Hit {
  x: number;
  y: number;
  at: number;
}

export class CombatPainter extends PlainPainter {
  readonly radius = 700;
  private readonly tank: number;
  private readonly plane: number;
  private readonly missile: number;
  private readonly attr: (kind: number, name: string) => number;
  private hits: Hit[] = [];
  private flying = new Map<bigint, { x: number; y: number }>(); // missiles in the last frame

  constructor(w: World) {
    super(w);
    [this.tank, this.plane, this.missile] = ["tank", "plane", "missile"].map((k) => kindOf(w, k));
    const known = new Map<string, number>();
    for (const k of ["tank", "plane"]) for (const v of ["health", "hits", "rises", "heading"]) known.set(`${kindOf(w, k)} ${v}`, attrOf(w, k, v));
    this.attr = (kind, name) => known.get(`${kind} ${name}`) ?? -1;
  }

  override embodies(kind: number): boolean {
    return kind === this.tank || kind === this.plane;
  }

  override ground(p: Picture, r: Records) {
    super.ground(p, r);
    const [x0, y0, x1, y1] = this.world.bounds, faint = p.theme.colour("faint"), thin = 0.6 / p.camera.scale;
    for (let x = x0 + GRID; x < x1; x += GRID) if (p.camera.sees(x, p.camera.y, 1)) p.marks.line(x, y0, x, y1, thin, faint);
    for (let y = y0 + GRID; y < y1; y += GRID) if (p.camera.sees(p.camera.x, y, 1)) p.marks.line(x0, y, x1, y, thin, faint);
    this.ridges(p);
  }

  // ridges draws them as maps do, the higher the darker, with their shade.
  private ridges(p: Picture) {
    const lines = p.scenery, wall = p.theme.colour("wall"), shade = p.theme.colour("shade");
    for (let i = 0; lines && i + 3 < lines.length; i += 4) {
      const [ax, ay, bx, by] = lines.subarray(i, i + 4);
      p.marks.line(ax + 4, ay + 6, bx + 4, by + 6, RIDGE * 1.1, shade);
      for (const [wide, share] of [[1, 0.55], [0.62, 0.75], [0.25, 1]]) p.marks.line(ax, ay, bx, by, RIDGE * wide, fade(wall, share));
    }
  }

  override bodies(p: Picture, r: Records) {
    this.notice(p, r);
    for (let i = 0; i < r.length; i++) if (r.kind(i) === this.tank) this.unit(p, r, i);
    for (let i = 0; i < r.length; i++) if (r.kind(i) === this.missile) this.trail(p, r, i);
    for (let i = 0; i < r.length; i++) if (r.kind(i) === this.plane) this.unit(p, r, i);
    for (const { x, y, at } of this.hits) {
      const age = (p.seconds - at) / FLASH, size = (10 + 16 * age) * Math.max(1, 1 / p.camera.scale);
      p.marks.disc(x, y, size, { fill: fade(p.theme.colour("warn"), 0.7 * (1 - age)), edge: fade(p.theme.colour("bad"), 1 - age), width: 2, soft: size / 3 });
    }
  }

  // notice finds out which missiles have struck: those that are gone while somebody is where they would be.
  private notice(p: Picture, r: Records) {
    const flying = new Map<bigint, { x: number; y: number }>();
    for (let i = 0; i < r.length; i++) if (r.kind(i) === this.missile) flying.set(r.id(i), { x: r.x(i), y: r.y(i) });
    for (const [id, at] of this.flying) {
      if (flying.has(id) || this.hits.length >= HITS) continue;
      for (let i = 0; i < r.length; i++) {
        if (this.embodies(r.kind(i)) && Math.hypot(r.x(i) - at.x, r.y(i) - at.y) < 30) {
          this.hits.push({ ...at, at: p.seconds });
          break;
        }
      }
    }
    this.flying = flying;
    this.hits = this.hits.filter((h) => p.seconds - h.at < FLASH && p.seconds >= h.at);
  }

  private trail(p: Picture, r: Records, i: number) {
    const speed = Math.hypot(r.vx(i), r.vy(i)) || 1, x = r.x(i), y = r.y(i), ux = r.vx(i) / speed, uy = r.vy(i) / speed, wide = Math.max(1.2, 1.6 / p.camera.scale);
    const hot = p.theme.colour(r.own(i) ? "accent" : "heat");
    for (const [long, share] of [[44, 0.15], [26, 0.3], [10, 1]]) p.marks.line(x - ux * long, y - uy * long, x, y, wide, fade(hot, share));
  }

  private unit(p: Picture, r: Records, i: number) {
    const kind = r.kind(i), x = r.x(i), y = r.y(i), own = r.own(i), down = r.attr(i, this.attr(kind, "rises")) !== 0;
    const size = this.size(p, r, i), angle = r.attr(i, this.attr(kind, "heading"));
    const colour = down ? p.theme.colour("nobody") : p.theme.user(r.user(i));
    if (own) p.marks.disc(x, y, size * 1.9, { fill: fade(p.theme.colour("accent"), 0.18), edge: fade(p.theme.colour("accent"), 0.8), width: 1.5 });
    else if (p.human(r.user(i))) p.marks.disc(x, y, size * 1.6, { edge: p.theme.colour("ink"), width: 1.5 });
    if (kind === this.tank) this.hull(p, x, y, size, angle, colour, down);
    else this.wings(p, x, y, size, angle, colour, down);
    if (!down) {
      this.health(p, r, i, size);
      return;
    }
    for (let k = 0; k < 3; k++) { // smoke
      const rise = (p.seconds * 0.6 + k / 3 + Number(r.id(i) % 5n) / 5) % 1;
      p.marks.disc(x + 3 * Math.sin(6 * rise + k), y - size * 2 * rise, size * (0.3 + 0.5 * rise), { fill: fade(p.theme.colour("nobody"), 0.6 * (1 - rise)), soft: size / 3 });
    }
    if (own) p.labels.name("You are down, and start again somewhere else in a moment", x, y, size * p.camera.scale * 2 + 4, true);
  }

  // hull draws a tank: tracks, body, turret and gun.
  private hull(p: Picture, x: number, y: number, size: number, angle: number, colour: Colour, down: boolean) {
    const c = Math.cos(angle), s = Math.sin(angle), dark = mix(colour, p.theme.colour("stripe"), 0.55), opacity = down ? 0.6 : 1;
    for (const side of [-1, 1]) p.marks.box(x - s * side * size * 0.58, y + c * side * size * 0.58, size * 0.95, size * 0.2, angle, size * 0.12, { fill: fade(dark, opacity) });
    p.marks.box(x, y, size * 0.85, size * 0.48, angle, size * 0.15, { fill: fade(colour, opacity), edge: p.theme.colour("edge"), width: 1 });
    p.marks.line(x + c * size * 0.2, y + s * size * 0.2, x + c * size * 1.25, y + s * size * 1.25, size * 0.09, fade(dark, opacity));
    p.marks.disc(x, y, size * 0.36, { fill: fade(mix(colour, dark, 0.5), opacity), edge: p.theme.colour("edge"), width: 1 });
  }

  // wings draws a plane and its shadow on the ground.
  private wings(p: Picture, x: number, y: number, size: number, angle: number, colour: Colour, down: boolean) {
    const draw = (x: number, y: number, fill: Colour, edge?: Colour) => {
      const c = Math.cos(angle), s = Math.sin(angle), at = (along: number): [number, number] => [x + c * along * size, y + s * along * size];
      p.marks.box(...at(0.1), size * 0.28, size * 1.15, angle, size * 0.2, { fill, edge, width: 1 });
      p.marks.box(...at(-0.85), size * 0.16, size * 0.48, angle, size * 0.12, { fill, edge, width: 1 });
      p.marks.box(x, y, size * 1.15, size * 0.22, angle, size * 0.22, { fill, edge, width: 1 });
    };
    if (!down) draw(x + size * 1.1, y + size * 1.5, p.theme.colour("shade"));
    draw(x, y, fade(colour, down ? 0.6 : 1), p.theme.colour("edge"));
  }

  // health shows how many hits somebody can still take, once it is not all.
  private health(p: Picture, r: Records, i: number, size: number) {
    const left = r.attr(i, this.attr(r.kind(i), "health")), all = this.world.kinds[r.kind(i)].variables.find((v) => v.name === "health")!.max;
    if (left >= all && !r.own(i)) return;
    for (let k = 0; k < all; k++) {
      p.marks.box(r.x(i) + (k - (all - 1) / 2) * size * 0.7, r.y(i) - size * 1.75, size * 0.28, size * 0.12, 0, size * 0.06,
        { fill: k < left ? p.theme.colour(left === 1 ? "bad" : "good") : fade(p.theme.colour("nobody"), 0.5) });
    }
  }

  protected override size(p: Picture, r: Records, i: number): number {
    const natural = this.world.kinds[r.kind(i)].radius;
    return r.kind(i) === this.missile ? Math.max(natural, 2 / p.camera.scale) : Math.max(natural * 1.6, (r.kind(i) === this.plane ? 1.3 : 1) * LEAST / p.camera.scale);
  }

  override scores(r: Records): Score[] {
    const list: Score[] = [];
    for (let i = 0; i < r.length; i++) {
      if (this.embodies(r.kind(i)) && r.user(i) !== 0) list.push({ user: r.user(i), value: r.attr(i, this.attr(r.kind(i), "hits")) });
    }
    return sorted(list);
  }

  override nameOf(r: Records, i: number): string {
    return nameOf(r.user(i));
  }
}
