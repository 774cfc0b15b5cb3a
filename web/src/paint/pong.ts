// Two rackets, a ball, and the score on the floor.

import { fade, type Colour } from "../marks";
import type { Records } from "../records";
import { attrOf, kindOf, type World } from "../schema";
import { PlainPainter, ring, sorted } from "./plain";
import type { Picture, Score } from "./painter";

const RACKET_HALF = 5; // px of the court

export class PongPainter extends PlainPainter {
  private readonly ball: number;
  private readonly racket: number;
  private readonly score: number;
  private readonly points: number;

  constructor(w: World) {
    super(w);
    this.ball = kindOf(w, "ball");
    this.racket = kindOf(w, "racket");
    this.score = kindOf(w, "score");
    this.points = attrOf(w, "score", "points");
  }

  override ground(p: Picture, r: Records) {
    super.ground(p, r);
    const [x0, y0, x1, y1] = this.world.bounds;
    const line = p.theme.colour("wall"), middle = (x0 + x1) / 2;
    for (let y = y0 + 12; y < y1; y += 24) p.marks.box(middle, y, 1, 6, 0, 1, { fill: line });
    for (const { user, value } of this.scores(r)) {
      const x = middle + (user === 1 ? -1 : 1) * (x1 - x0) * 0.14;
      p.labels.big(String(value), x, y0 + (y1 - y0) * 0.18, (y1 - y0) * 0.16);
    }
  }

  override bodies(p: Picture, r: Records) {
    for (let i = 0; i < r.length; i++) {
      if (r.kind(i) === this.racket) this.paintRacket(p, r, i);
      if (r.kind(i) === this.ball) this.paintBall(p, r, i);
    }
  }

  private paintRacket(p: Picture, r: Records, i: number) {
    const own = r.own(i), half = this.world.kinds[this.racket].radius;
    const colour = own ? p.theme.colour("accent") : p.theme.user(r.user(i));
    if (own) p.marks.box(r.x(i), r.y(i), RACKET_HALF, half, 0, RACKET_HALF, { fill: fade(colour, 0.35), soft: 10 });
    p.marks.box(r.x(i), r.y(i), RACKET_HALF, half, 0, RACKET_HALF, { fill: colour });
  }

  private paintBall(p: Picture, r: Records, i: number) {
    const radius = this.world.kinds[this.ball].radius, colour = p.theme.colour("ball");
    for (let k = 5; k > 0; k--) {
      const back = k * 0.012; // seconds
      p.marks.disc(r.x(i) - r.vx(i) * back, r.y(i) - r.vy(i) * back, radius * (1 - k * 0.1), { fill: fade(colour, 0.2 - k * 0.03) });
    }
    p.marks.disc(r.x(i), r.y(i), radius, { fill: colour });
  }

  override outline(p: Picture, r: Records, i: number, colour: Colour, inset: number) {
    const style = ring(colour, inset), radius = this.world.kinds[r.kind(i)].radius, by = inset / p.camera.scale;
    if (r.kind(i) === this.ball) p.marks.disc(r.x(i), r.y(i), Math.max(radius - by, radius / 4), style);
    if (r.kind(i) === this.racket) p.marks.box(r.x(i), r.y(i), Math.max(RACKET_HALF - by, 1), radius - by, 0, RACKET_HALF, style);
  }

  override scores(r: Records): Score[] {
    const list: Score[] = [];
    for (let i = 0; i < r.length; i++) {
      if (r.kind(i) === this.score) list.push({ user: r.user(i), value: r.attr(i, this.points) });
    }
    return sorted(list);
  }
}
