// Philosophers around their table: who has both forks eats.

import { fade } from "../marks";
import type { Records } from "../records";
import { attrOf, kindOf, type World } from "../schema";
import type { Picture, Score } from "./painter";
import { PlainPainter, sorted } from "./plain";

export class TablePainter extends PlainPainter {
  private readonly fork: number;
  private readonly eating: number;
  private readonly meals: number;
  private readonly holder: number;

  constructor(w: World) {
    super(w);
    this.fork = kindOf(w, "fork");
    this.eating = attrOf(w, "philosopher", "eating");
    this.meals = attrOf(w, "philosopher", "meals");
    this.holder = attrOf(w, "fork", "holder");
  }

  override ground(p: Picture, r: Records) {
    super.ground(p, r);
    const [x0, y0, x1, y1] = this.world.bounds, radius = (x1 - x0 - 1) / 2;
    p.marks.disc((x0 + x1) / 2, (y0 + y1) / 2, radius - 0.4, { fill: p.theme.colour("roof-0"), edge: p.theme.colour("kerb"), width: 2 });
  }

  override bodies(p: Picture, r: Records) {
    const at = new Map<number, number>(), [x0, y0, x1, y1] = this.world.bounds, cx = (x0 + x1) / 2, cy = (y0 + y1) / 2;
    for (let i = 0; i < r.length; i++) if (r.kind(i) === this.avatar) at.set(r.user(i), i);
    for (const [user, i] of at) {
      const x = r.x(i), y = r.y(i), size = this.size(p, r, i), eats = r.attr(i, this.eating) !== 0, colour = p.theme.user(user);
      const inwards = Math.atan2(cy - y, cx - x), px = x + Math.cos(inwards) * 1.7 * size, py = y + Math.sin(inwards) * 1.7 * size;
      p.marks.disc(px, py, size * 0.55, { fill: p.theme.colour("panel"), edge: p.theme.colour("kerb"), width: 1 });
      if (eats) p.marks.disc(px, py, size * (0.3 + 0.05 * Math.sin(p.seconds * 6)), { fill: p.theme.colour("ore") });
      if (r.own(i)) p.marks.disc(x, y, size * 1.35, { fill: fade(p.theme.colour("accent"), 0.25), edge: p.theme.colour("accent"), width: 2 });
      else if (p.human(user)) p.marks.disc(x, y, size * 1.3, { edge: p.theme.colour("ink"), width: 1.5 });
      p.marks.disc(x, y, size * 0.9, { fill: fade(colour, eats ? 1 : 0.75), edge: p.theme.colour("edge"), width: 1 });
      p.marks.disc(x, y, size * 0.4, { fill: p.theme.colour("stripe") });
    }
    for (let i = 0; i < r.length; i++) {
      if (r.kind(i) !== this.fork) continue;
      const hand = at.get(r.attr(i, this.holder)), angle = Math.atan2(cy - r.y(i), cx - r.x(i));
      let x = r.x(i) + Math.cos(angle) * 1.5, y = r.y(i) + Math.sin(angle) * 1.5;
      if (hand !== undefined) [x, y] = [x + (r.x(hand) - r.x(i)) * 0.55, y + (r.y(hand) - r.y(i)) * 0.55];
      const colour = hand === undefined ? p.theme.colour("ink") : p.theme.user(r.user(hand)), dx = Math.cos(angle) * 0.55, dy = Math.sin(angle) * 0.55;
      p.marks.line(x - dx, y - dy, x + dx, y + dy, 0.09, colour);
      for (const side of [-1, 1]) p.marks.line(x + dx - side * dy * 0.35, y + dy + side * dx * 0.35, x + dx * 1.7 - side * dy * 0.35, y + dy * 1.7 + side * dx * 0.35, 0.06, colour);
    }
  }

  override scores(r: Records): Score[] {
    const list: Score[] = [];
    for (let i = 0; i < r.length; i++) if (r.kind(i) === this.avatar) list.push({ user: r.user(i), value: r.attr(i, this.meals) });
    return sorted(list);
  }
}
