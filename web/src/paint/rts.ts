// The painter of the strategy games: what the user's people see is lit, the rest of the map lies in the dark.

import { fade, mix, rgba, type Colour } from "../marks";
import type { Records } from "../records";
import { attrOf, kindOf, type World } from "../schema";
import type { Picture, Score } from "./painter";
import { PlainPainter, ring, sorted } from "./plain";

const DARK = rgba(0, 0, 0), WHITE = rgba(255, 255, 255);
const BUILDINGS = ["base", "barracks", "tower"];
const WOOD = 1; // the other sort of field is ore

export class RTSPainter extends PlainPainter {
  override readonly avatar: number;
  readonly radius = 30;
  private vision = 10; // tiles
  private selected: ReadonlySet<bigint> = new Set();

  private readonly names: string[];
  private readonly most: number[]; // by kind: health when unhurt
  private readonly health: number[];
  private readonly sort: number;
  private readonly stock: [number, number];
  private readonly load: number;
  private readonly targets: number[]; // by kind: which attribute says whom it attacks
  private readonly jobs: number[]; // by kind: which says what it trains
  private readonly ready: number[];

  constructor(w: World) {
    super(w);
    this.names = w.kinds.map((k) => k.name);
    this.avatar = kindOf(w, "base");
    this.health = w.kinds.map((k) => attrOf(w, k.name, "health"));
    this.most = w.kinds.map((k) => k.variables.find((v) => v.name === "health")?.max ?? 0);
    this.sort = attrOf(w, "field", "sort");
    this.stock = [attrOf(w, "base", "ore"), attrOf(w, "base", "wood")];
    this.load = attrOf(w, "worker", "load");
    [this.targets, this.jobs, this.ready] = ["target", "job", "ready"].map((name) => w.kinds.map((k) => attrOf(w, k.name, name)));
  }

  begin(sight: number | undefined, selected: ReadonlySet<bigint>) {
    this.vision = sight ?? this.vision;
    this.selected = selected;
  }

  override ground(p: Picture, r: Records) {
    const [x0, y0, x1, y1] = this.world.bounds, soil = p.theme.colour("soil");
    p.marks.box((x0 + x1) / 2, (y0 + y1) / 2, (x1 - x0) / 2, (y1 - y0) / 2, 0, 0,
      { fill: p.theme.colour("unlit"), edge: p.theme.colour("wall"), width: 2 });
    // What is seen is lit, with an edge that fades: half of it within the sight, so that nothing seems seen that is not.
    const rim = this.vision * 0.14;
    for (let i = 0; i < r.length; i++) {
      if (r.own(i) && p.camera.sees(r.x(i), r.y(i), this.vision)) p.marks.disc(r.x(i), r.y(i), this.vision - rim, { fill: soil, soft: rim });
    }
  }

  override bodies(p: Picture, r: Records) {
    for (let i = 0; i < r.length; i++) if (this.fixed(r, i) && this.seen(p, r, i)) this.paintFixed(p, r, i);
    for (let i = 0; i < r.length; i++) if (!this.fixed(r, i) && this.seen(p, r, i)) this.paintUnit(p, r, i);
    this.paintFights(p, r);
  }

  // paintFights shows who attacks whom: shots on their way, and sparks where they land.
  private paintFights(p: Picture, r: Records) {
    const at = new Map<number, number>();
    for (let i = 0; i < r.length; i++) at.set(Number(r.id(i)), i);
    for (let i = 0; i < r.length; i++) {
      const name = this.names[r.kind(i)], k = this.targets[r.kind(i)], t = k >= 0 ? at.get(r.attr(i, k)) : undefined;
      if (t === undefined || name === "worker" || r.user(t) === r.user(i) || r.user(t) === 0 || !this.seen(p, r, i)) continue;
      const dx = r.x(t) - r.x(i), dy = r.y(t) - r.y(i), far = Math.hypot(dx, dy), reach = name === "soldier" || name === "rider" ? 2.5 : 12;
      if (far > reach) continue;
      const beat = (p.seconds * 1.6 + Number(r.id(i) % 7n) / 7) % 1, colour = p.theme.user(r.user(i));
      if (reach > 3) p.marks.line(r.x(i) + dx * beat * 0.9, r.y(i) + dy * beat * 0.9, r.x(i) + dx * Math.min(1, beat + 0.12), r.y(i) + dy * Math.min(1, beat + 0.12), 0.09, colour);
      p.marks.disc(r.x(t), r.y(t), 0.25 + 0.7 * beat, { edge: fade(p.theme.colour("bad"), 1 - beat), width: 2 });
    }
  }

  private fixed(r: Records, i: number): boolean {
    const name = this.names[r.kind(i)];
    return name === "field" || BUILDINGS.includes(name);
  }

  private seen(p: Picture, r: Records, i: number): boolean {
    return p.camera.sees(r.x(i), r.y(i), 3);
  }

  private paintFixed(p: Picture, r: Records, i: number) {
    const x = r.x(i), y = r.y(i), size = this.size(p, r, i), name = this.names[r.kind(i)];
    if (name === "field") {
      this.paintField(p, x, y, size, r.attr(i, this.sort) === WOOD);
      return;
    }
    const colour = p.theme.user(r.user(i)), dark = mix(colour, DARK, 0.35);
    this.paintSelection(p, r, i, size * 1.25);
    p.marks.box(x, y, size * 1.04, size * 1.04, 0, size * 0.2, { fill: p.theme.colour("shade") });
    p.marks.box(x, y, size * 0.95, size * 0.95, name === "tower" ? Math.PI / 4 : 0, size * 0.16, { fill: mix(p.theme.colour("stone"), colour, 0.35), edge: dark, width: 2 });
    const [w, h] = name === "base" ? [0.5, 0.5] : name === "barracks" ? [0.62, 0.24] : [0.3, 0.3];
    p.marks.box(x, y, size * w, size * h, 0, name === "tower" ? size : size * 0.08, { fill: colour, edge: fade(WHITE, 0.5), width: 1 });
    const job = this.jobs[r.kind(i)];
    if (job >= 0 && r.attr(i, job) !== 0) { // somebody is being trained
      const angle = p.seconds * 2.5;
      for (const turn of [0, 2.1, 4.2]) p.marks.disc(x + Math.cos(angle + turn) * size * 0.78, y + Math.sin(angle + turn) * size * 0.78, size * 0.1, { fill: fade(WHITE, 0.9) });
    }
    this.paintHealth(p, r, i, size * 1.2);
  }

  private paintField(p: Picture, x: number, y: number, size: number, wood: boolean) {
    const colour = p.theme.colour(wood ? "tree" : "ore");
    for (const [dx, dy, part] of [[-0.4, 0.25, 0.5], [0.45, 0.3, 0.45], [0.05, -0.35, 0.6]]) {
      const at: [number, number] = [x + dx * size, y + dy * size], style = { fill: colour, edge: mix(colour, DARK, 0.3), width: 1 };
      if (wood) p.marks.disc(...at, part * size, style);
      else p.marks.box(...at, part * size * 0.8, part * size * 0.8, 0.6 + dx, size * 0.1, style);
    }
  }

  private paintUnit(p: Picture, r: Records, i: number) {
    const x = r.x(i), y = r.y(i), size = this.size(p, r, i), name = this.names[r.kind(i)];
    const colour = p.theme.user(r.user(i)), edge = r.own(i) ? fade(WHITE, 0.9) : mix(colour, DARK, 0.5);
    const moves = Math.hypot(r.vx(i), r.vy(i)) > 0.01, angle = moves ? Math.atan2(r.vy(i), r.vx(i)) : 0;
    this.paintSelection(p, r, i, size * 1.5);
    switch (name) {
      case "soldier": p.marks.box(x, y, size, size, angle, size * 0.2, { fill: colour, edge, width: 1 }); break;
      case "archer":
        p.marks.disc(x, y, size, { fill: colour, edge, width: 1 });
        p.marks.disc(x, y, size * 0.45, { fill: mix(colour, WHITE, 0.7) });
        break;
      case "rider": p.marks.box(x, y, size * 1.35, size * 0.7, angle, size, { fill: colour, edge, width: 1 }); break;
      case "cart": p.marks.box(x, y, size * 1.2, size * 0.9, angle, size * 0.1, { fill: p.theme.colour("stone"), edge: colour, width: 2 }); break;
      default: p.marks.disc(x, y, size * 0.85, { fill: colour, edge, width: 1 });
    }
    if (name === "worker" && !moves && r.attr(i, this.ready[r.kind(i)]) !== 0) { // digs, or fells
      const up = Math.abs(Math.sin(p.seconds * 5 + Number(r.id(i) % 5n)));
      p.marks.line(x, y, x + size * 1.1, y - size * (0.4 + 0.8 * up), 0.08, p.theme.colour("stripe"));
    }
    if (name === "cart") p.marks.disc(x, y, size * (0.4 + 0.1 * Math.sin(p.seconds * 4)), { fill: colour });
    if (name === "worker" && r.attr(i, this.load) !== 0) {
      p.marks.disc(x, y, size * 0.4, { fill: p.theme.colour(r.attr(i, this.load) > 0 ? "ore" : "tree") });
    }
    this.paintHealth(p, r, i, size * 1.3);
  }

  private paintSelection(p: Picture, r: Records, i: number, radius: number) {
    if (!this.selected.has(r.id(i))) return;
    p.marks.disc(r.x(i), r.y(i), radius, { fill: fade(p.theme.colour("accent"), 0.25), edge: p.theme.colour("accent"), width: 2 });
  }

  // paintHealth shows how much is left of what is hurt or selected.
  private paintHealth(p: Picture, r: Records, i: number, above: number) {
    const k = r.kind(i), most = this.most[k];
    if (most === 0) return;
    const share = Math.max(0, Math.min(1, r.attr(i, this.health[k]) / most));
    if (share >= 1 && !this.selected.has(r.id(i))) return;
    const half = Math.max(above * 0.8, 8 / p.camera.scale), y = r.y(i) - above - 3 / p.camera.scale, thick = 2 / p.camera.scale;
    p.marks.box(r.x(i), y, half, thick, 0, thick, { fill: fade(DARK, 0.5) });
    p.marks.box(r.x(i) - half * (1 - share), y, half * share, thick, 0, thick, { fill: p.theme.colour(share > 0.6 ? "good" : share > 0.3 ? "warn" : "bad") });
  }

  override outline(p: Picture, r: Records, i: number, colour: Colour, inset: number) {
    const size = this.size(p, r, i);
    if (this.fixed(r, i)) return;
    p.marks.disc(r.x(i), r.y(i), Math.max(size - inset / p.camera.scale, size / 4), ring(colour, inset));
  }

  // scores are what users have gathered, as far as it is seen.
  override scores(r: Records): Score[] {
    const sums = new Map<number, number>();
    for (let i = 0; i < r.length; i++) {
      if (r.kind(i) !== this.avatar || this.stock[0] < 0) continue;
      sums.set(r.user(i), (sums.get(r.user(i)) ?? 0) + r.attr(i, this.stock[0]) + r.attr(i, this.stock[1]));
    }
    return sorted([...sums].map(([user, value]) => ({ user, value })));
  }
}
