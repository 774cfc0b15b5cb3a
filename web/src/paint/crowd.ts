// A town from above: roofs, squares, what goes on there, and people.

import { fade, mix, rgba, type Colour } from "../marks";
import type { Records } from "../records";
import { attrOf, kindOf, type World } from "../schema";
import { PlainPainter, sorted } from "./plain";
import type { Picture, Score } from "./painter";

const BODY = 0.72; // metres from shoulder to shoulder, halved: people are drawn larger than they are
const LEAST = 4; // pixels that they have at least
const SHIRT = 0.62; // how long a person is from back to chest, as a share of that
const FAR = 3.2; // pixels to a metre below which a crowd is painted as such
const SQUARE = 1; // the sort of place that is open

const EVENTS = ["", "fountain", "market", "concert"];
const STALLS = [rgba(214, 90, 72), rgba(236, 170, 64), rgba(84, 150, 110), rgba(78, 124, 190), rgba(170, 96, 150)];
const HAIR = [rgba(58, 44, 36), rgba(96, 66, 42), rgba(160, 116, 64), rgba(34, 32, 36), rgba(132, 128, 124), rgba(120, 62, 40)];

export class CrowdPainter extends PlainPainter {
  private readonly walker: number;
  private readonly place: number;
  private readonly shout: number;
  private readonly attr: Record<"sort" | "width" | "depth" | "event" | "faces" | "look" | "errands" | "doing", number>;
  private readonly walkers = new Map<number, number>(); // by user: place in the list

  constructor(w: World) {
    super(w);
    this.walker = kindOf(w, "walker");
    this.place = kindOf(w, "place");
    this.shout = kindOf(w, "shout");
    this.attr = {
      sort: attrOf(w, "place", "sort"), width: attrOf(w, "place", "width"), depth: attrOf(w, "place", "depth"),
      event: attrOf(w, "place", "event"), faces: attrOf(w, "walker", "faces"), look: attrOf(w, "walker", "look"),
      errands: attrOf(w, "walker", "errands"), doing: attrOf(w, "walker", "doing"),
    };
  }

  override ground(p: Picture, r: Records, beginning?: Records) {
    const [x0, y0, x1, y1] = this.world.bounds;
    p.marks.box((x0 + x1) / 2, (y0 + y1) / 2, (x1 - x0) / 2, (y1 - y0) / 2, 0, 1, { fill: p.theme.colour("street") });
    const seen = new Set<bigint>();
    for (let i = 0; i < r.length; i++) {
      if (r.kind(i) !== this.place) continue;
      seen.add(r.id(i));
      this.paintPlace(p, r, i, EVENTS[r.attr(i, this.attr.event)] ?? "");
    }
    for (let i = 0; beginning && i < beginning.length; i++) {
      if (beginning.kind(i) === this.place && !seen.has(beginning.id(i))) this.paintPlace(p, beginning, i, "");
    }
  }

  private paintPlace(p: Picture, r: Records, i: number, event: string) {
    const width = r.attr(i, this.attr.width) / 2, depth = r.attr(i, this.attr.depth) / 2;
    if (!p.camera.sees(r.x(i), r.y(i), width * 1.5)) return;
    if (r.attr(i, this.attr.sort) === SQUARE) this.paintSquare(p, Number(r.id(i)), r.x(i), r.y(i), width, depth, event);
    else this.paintHouses(p, Number(r.id(i)), r.x(i), r.y(i), width, depth);
  }

  // paintHouses covers a lot with roofs, the same ones every time.
  private paintHouses(p: Picture, id: number, x: number, y: number, width: number, depth: number) {
    const roofs = ["roof-0", "roof-1", "roof-2", "roof-3"].map((n) => p.theme.colour(n));
    p.marks.box(x, y, width, depth, 0, 1.2, { fill: p.theme.colour("yard"), edge: p.theme.colour("kerb"), width: 1.5 });
    const random = sequence(id);
    const columns = 2 + (random() % 3), rows = 2 + (random() % 3);
    const w = (width * 2 - 1.6) / columns / 2, d = (depth * 2 - 1.6) / rows / 2;
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        const roof = roofs[random() % roofs.length], shrink = 0.5 + (random() % 5) * 0.2;
        const cx = x - width + 0.8 + w * (2 * column + 1), cy = y - depth + 0.8 + d * (2 * row + 1);
        this.paintRoof(p, cx, cy, w - shrink, d - shrink, roof, random() % 4);
      }
    }
  }

  // paintRoof draws a roof with two slopes, of which one is in the shade, or a flat one.
  private paintRoof(p: Picture, x: number, y: number, w: number, d: number, roof: Colour, sort: number) {
    p.marks.box(x + 0.5, y + 0.7, w, d, 0, 0.4, { fill: p.theme.colour("shade"), soft: 0.5 });
    p.marks.box(x, y, w, d, 0, 0.35, { fill: roof, edge: p.theme.colour("ridge"), width: 1 });
    const shade = p.theme.colour("slope");
    if (sort === 0) p.marks.box(x, y, w - 0.7, d - 0.7, 0, 0.2, { fill: shade }); // a terrace
    else if (sort === 1 || w < d) p.marks.box(x + w / 2, y, w / 2, d, 0, 0.2, { fill: shade });
    else p.marks.box(x, y + d / 2, w, d / 2, 0, 0.2, { fill: shade });
  }

  private paintSquare(p: Picture, id: number, x: number, y: number, width: number, depth: number, event: string) {
    p.marks.box(x, y, width, depth, 0, 3, { fill: p.theme.colour("lawn"), edge: p.theme.colour("kerb"), width: 1.5 });
    const path = p.theme.colour("path");
    p.marks.box(x, y, width, 2.2, 0, 0, { fill: path });
    p.marks.box(x, y, 2.2, depth, 0, 0, { fill: path });
    p.marks.disc(x, y, Math.min(width, depth) * 0.5, { fill: path });
    const random = sequence(id);
    for (const [sx, sy] of [[-1, -1], [1, -1], [-1, 1], [1, 1]]) {
      for (let k = 0; k < 3; k++) {
        const tx = x + sx * (width * 0.62 + (random() % 50) / 10), ty = y + sy * (depth * 0.62 + (random() % 50) / 10);
        const size = 1.3 + (random() % 8) / 10;
        p.marks.disc(tx + 0.5, ty + 0.7, size, { fill: p.theme.colour("shade"), soft: 0.6 });
        p.marks.disc(tx, ty, size, { fill: mix(p.theme.colour("tree"), p.theme.colour("lawn"), (random() % 4) / 10) });
      }
    }
    if (event === "fountain") this.paintFountain(p, x, y);
    if (event === "market") this.paintMarket(p, x, y, id);
    if (event === "concert") this.paintConcert(p, x, y);
    if (event) p.labels.place(event, x, y - depth + 3);
  }

  private paintFountain(p: Picture, x: number, y: number) {
    const water = p.theme.colour("water");
    p.marks.disc(x, y, 2.7, { fill: p.theme.colour("stone") });
    p.marks.disc(x, y, 2.2, { fill: water });
    for (let k = 0; k < 3; k++) {
      const grown = (p.seconds * 0.5 + k / 3) % 1;
      p.marks.disc(x, y, 0.3 + 1.8 * grown, { edge: fade(rgba(255, 255, 255), 0.8 * (1 - grown)), width: 1.5 });
    }
    p.marks.disc(x, y, 0.35, { fill: p.theme.colour("stone") });
  }

  private paintMarket(p: Picture, x: number, y: number, id: number) {
    for (let k = 0; k < 6; k++) {
      const angle = (k / 6) * 2 * Math.PI + 0.5;
      const sx = x + Math.cos(angle) * 2.9, sy = y + Math.sin(angle) * 2.9;
      const cloth = STALLS[(k + id) % STALLS.length];
      p.marks.box(sx + 0.3, sy + 0.4, 1.1, 0.75, angle + Math.PI / 2, 0.2, { fill: p.theme.colour("shade"), soft: 0.4 });
      p.marks.box(sx, sy, 1.1, 0.75, angle + Math.PI / 2, 0.15, { fill: cloth, edge: mix(cloth, rgba(0, 0, 0), 0.3), width: 1 });
      p.marks.box(sx, sy, 0.2, 0.75, angle + Math.PI / 2, 0, { fill: fade(rgba(255, 255, 255), 0.75) });
    }
  }

  private paintConcert(p: Picture, x: number, y: number) {
    const accent = p.theme.colour("stage");
    for (let k = 0; k < 3; k++) {
      const grown = (p.seconds * 0.35 + k / 3) % 1;
      p.marks.disc(x, y, 2 + 11 * grown, { edge: fade(accent, 0.45 * (1 - grown)), width: 2 });
    }
    p.marks.box(x + 0.3, y + 0.4, 2.4, 1.6, 0, 0.2, { fill: p.theme.colour("shade"), soft: 0.5 });
    p.marks.box(x, y, 2.4, 1.6, 0, 0.2, { fill: p.theme.colour("stone"), edge: accent, width: 2 });
    for (const dx of [-1.2, 0, 1.2]) {
      p.marks.disc(x + dx, y, 0.4 + 0.06 * Math.sin(p.seconds * 9 + dx), { fill: accent });
    }
  }

  override bodies(p: Picture, r: Records) {
    this.walkers.clear();
    let me = -1;
    const far = p.camera.scale < FAR; // people are too small to tell apart: what shows is where they are many
    for (let i = 0; i < r.length; i++) {
      if (r.kind(i) !== this.walker) continue;
      this.walkers.set(r.user(i), i);
      if (r.own(i)) me = i;
      else if (!p.camera.sees(r.x(i), r.y(i), 2)) continue;
      else if (far && !p.human(r.user(i))) p.marks.disc(r.x(i), r.y(i), 5 / p.camera.scale, { fill: fade(p.theme.colour("heat"), 0.22), soft: 5 / p.camera.scale });
      else {
        this.paintWalker(p, r, i);
        p.labels.person(r.x(i), r.y(i));
      }
    }
    if (me >= 0) this.paintWalker(p, r, me);
    for (let i = 0; i < r.length; i++) {
      if (r.kind(i) !== this.shout) continue;
      const speaker = this.walkers.get(r.user(i)) ?? i; // a shout stays where it was uttered, its speaker may not
      if (p.camera.sees(r.x(speaker), r.y(speaker), 0)) {
        p.labels.bubble(p.speech(r.id(i)), r.x(speaker), r.y(speaker) - this.size(p, r, i) * 1.4, r.own(i));
      }
    }
  }

  protected override size(p: Picture, _r: Records, _i: number): number {
    return Math.max(BODY, LEAST / p.camera.scale);
  }

  private paintWalker(p: Picture, r: Records, i: number) {
    const x = r.x(i), y = r.y(i), size = this.size(p, r, i), own = r.own(i);
    const speed = Math.hypot(r.vx(i), r.vy(i));
    let angle = speed > 0.05 ? Math.atan2(r.vy(i), r.vx(i)) : r.attr(i, this.attr.faces);
    angle += speed > 0.05 ? 0.12 * Math.sin(p.seconds * 9 + r.user(i)) : 0; // shoulders swing
    const look = r.attr(i, this.attr.look);
    const shirt = p.theme.user(r.user(i)), hair = HAIR[look % HAIR.length];
    if (own) {
      p.marks.disc(x, y, size * 2.2, { fill: fade(p.theme.colour("accent"), 0.25) });
      p.marks.disc(x, y, size * 2.2, { edge: p.theme.colour("accent"), width: 2 });
    }
    if (!own && p.human(r.user(i))) { // persons stand out from those whom the computer plays
      p.marks.disc(x, y, size * 1.7, { fill: fade(shirt, 0.3), edge: p.theme.colour("ink"), width: 1.5 });
      p.labels.name(this.nameOf(r, i), x, y, size * 1.7 * p.camera.scale);
    }
    p.marks.box(x + size * 0.18, y + size * 0.3, size * SHIRT, size, angle, size, { fill: p.theme.colour("shade"), soft: size * 0.35 });
    p.marks.box(x, y, size * SHIRT, size, angle, size, { fill: shirt, edge: mix(shirt, rgba(0, 0, 0), 0.35), width: 1 });
    p.marks.disc(x + Math.cos(angle) * size * 0.12, y + Math.sin(angle) * size * 0.12, size * 0.48, { fill: hair, edge: fade(rgba(0, 0, 0), 0.35), width: 1 });
  }

  override outline(p: Picture, r: Records, i: number, colour: Colour, inset: number) {
    if (r.kind(i) === this.walker) super.outline(p, r, i, colour, inset);
  }

  override scores(r: Records): Score[] {
    const list: Score[] = [];
    for (let i = 0; i < r.length; i++) {
      if (r.kind(i) === this.walker && r.own(i)) list.push({ user: r.user(i), value: r.attr(i, this.attr.errands) });
    }
    return sorted(list);
  }
}

// sequence returns numbers that follow from another one.
function sequence(seed: number): () => number {
  let state = (seed ^ (seed / 0x100000000)) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 8;
  };
}
