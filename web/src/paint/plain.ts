// The painter of any world, by what its look and its schema say: a shape for each kind, of the kind's size and in the colours of users; bars, directions and scores for
// variables that have such roles; scenery.

import { fade, type Colour, type Style } from "../marks";
import { nameOf } from "../names";
import type { Records } from "../records";
import { kindOf, placed, roleOf, type Kind, type KindLook, type World } from "../schema";
import { parse } from "../theme";
import type { Painter, Picture, Score } from "./painter";

const LEAST = 3; // pixels that even the smallest thing has as its radius,
const BODY = 6; // and somebody's body
const LARGE = 6; // pixels from which on a thing has a bar and a direction
const SLOW = 0.02; // of a world's size in a second: what is slower has no direction

const THIN = 1.5; // pixels that a wall has at least,
const THICK = 7; // and at most
const TRAIL = 5; // marks that a trail has,
const BEHIND = 0.012; // and how many seconds one is behind the next

// The shapes of kinds: how round the corners are, as a share of the size, how tall it is and how it is turned. What users have as their bodies is round.
const SHAPES = [[0.3, 1, 0], [0.15, 0.9, Math.PI / 4], [0.5, 0.55, 0], [0, 1, 0], [0.4, 0.4, Math.PI / 4]];
const NAMED: Record<string, number[]> = { box: [0, 1, 0], diamond: [0.15, 0.9, Math.PI / 4], capsule: [1, 0.5, 0] };

export class PlainPainter implements Painter {
  readonly avatar: number;
  readonly radius?: number;

  private readonly fast: number;
  private readonly looks: (KindLook | undefined)[]; // by kind
  private readonly colours: (Colour | undefined)[];
  private readonly order: number[]; // of drawing, by kind

  constructor(protected readonly world: World) {
    const look = world.look;
    this.avatar = look?.avatar ? kindOf(world, look.avatar) : world.kinds.findIndex((k) => placed(k) && k.radius > 0);
    this.radius = look?.around || undefined;
    this.looks = world.kinds.map((k) => look?.kinds.find((l) => l.kind === k.name));
    this.colours = this.looks.map((l) => (l?.colour ? parse(l.colour) : undefined));
    this.order = world.kinds.map((k) => look?.kinds.findIndex((l) => l.kind === k.name) ?? -1);
    const [x0, y0, x1, y1] = world.bounds;
    this.fast = SLOW * Math.max(x1 - x0, y1 - y0);
  }

  embodies(kind: number): boolean { return kind === this.avatar; }

  ground(p: Picture, _r: Records, _beginning?: Records) {
    const [x0, y0, x1, y1] = this.world.bounds;
    p.marks.box((x0 + x1) / 2, (y0 + y1) / 2, (x1 - x0) / 2, (y1 - y0) / 2, 0, 0,
      { fill: p.theme.colour("floor"), edge: p.theme.colour("wall"), width: 2 });
    if (p.scenery) this.walls(p, p.scenery);
  }

  // walls draws lines as seen from above, with their shade on the street, so that people stand out against them.
  private walls(p: Picture, lines: Float32Array) {
    const half = Math.min(Math.max(this.world.look?.walls ?? 0, THIN / p.camera.scale), THICK / p.camera.scale) / 2;
    const wall = p.theme.colour("wall"), shade = p.theme.colour("shade"), near = half * p.camera.scale > 1.2;
    for (let i = 0; near && i + 3 < lines.length; i += 4) {
      p.marks.line(lines[i] + half, lines[i + 1] + half * 1.4, lines[i + 2] + half, lines[i + 3] + half * 1.4, half, shade);
    }
    for (let i = 0; i + 3 < lines.length; i += 4) p.marks.line(lines[i], lines[i + 1], lines[i + 2], lines[i + 3], half, wall);
  }

  bodies(p: Picture, r: Records) {
    for (let layer = -1; layer < (this.world.look?.kinds.length ?? 0); layer++) {
      for (let i = 0; i < r.length; i++) if (this.order[r.kind(i)] === layer) this.body(p, r, i);
    }
  }

  private body(p: Picture, r: Records, i: number) {
    const kind = this.world.kinds[r.kind(i)], look = this.looks[r.kind(i)];
    if (!placed(kind) || look?.shape === "hidden") return;
    const own = r.own(i), dead = this.dead(r, i);
    const colour = dead ? p.theme.colour("nobody") : this.colours[r.kind(i)] ?? p.theme.user(r.user(i));
    const radius = this.size(p, r, i);
    if (own && r.kind(i) === this.avatar) p.marks.disc(r.x(i), r.y(i), radius * 1.7, { fill: fade(p.theme.colour("accent"), 0.22) });
    if (!own && r.kind(i) === this.avatar && p.human(r.user(i))) p.marks.disc(r.x(i), r.y(i), radius * 1.45, { edge: p.theme.colour("ink"), width: 1.5 });
    for (let k = TRAIL; look?.trail && k > 0; k--) {
      p.marks.disc(r.x(i) - r.vx(i) * BEHIND * k, r.y(i) - r.vy(i) * BEHIND * k, radius * (1 - k * 0.1), { fill: fade(colour, 0.2 - k * 0.03) });
    }
    this.shape(p, r, i, radius, { fill: fade(colour, dead ? 0.4 : 0.9), edge: p.theme.colour(own ? "accent" : "edge"), width: own ? 2.5 : 1 });
    if (dead || radius * p.camera.scale < LARGE) return;
    this.nose(p, r, i, kind, radius);
    this.bar(p, r, i, kind, radius);
    if (look?.label) p.labels.name(this.label(r, i, kind, look.label), r.x(i), r.y(i), radius * p.camera.scale);
  }

  // label is what is written below an object.
  private label(r: Records, i: number, kind: Kind, name: string): string {
    if (name === "user") return this.nameOf(r, i);
    const v = kind.variables.find((v) => v.name === name)!;
    return `${v.name} ${Math.round(r.attr(i, v.attr!) * 100) / 100}${v.unit && ` ${v.unit}`}`;
  }

  private shape(p: Picture, r: Records, i: number, radius: number, style: Style) {
    const kind = r.kind(i), look = this.looks[kind];
    if (look?.shape ? look.shape === "disc" : kind === this.avatar) {
      p.marks.disc(r.x(i), r.y(i), radius, style);
      return;
    }
    const [round, tall, turn] = NAMED[look?.shape ?? ""] ?? SHAPES[(kind + (kind > this.avatar ? SHAPES.length - 1 : 0)) % SHAPES.length];
    const high = look?.height ? Math.max(look.height / 2, LEAST / p.camera.scale) : radius * tall;
    p.marks.box(r.x(i), r.y(i), radius, high, turn, round * Math.min(radius, high), style);
  }

  // nose shows where something looks or, if nobody says that, where it goes.
  private nose(p: Picture, r: Records, i: number, kind: Kind, radius: number) {
    const facing = roleOf(kind, "facing");
    if (!facing && Math.hypot(r.vx(i), r.vy(i)) < this.fast) return;
    const angle = facing ? r.attr(i, facing.attr) : Math.atan2(r.vy(i), r.vx(i)), x = Math.cos(angle) * radius, y = Math.sin(angle) * radius;
    p.marks.line(r.x(i) + 0.45 * x, r.y(i) + 0.45 * y, r.x(i) + 0.95 * x, r.y(i) + 0.95 * y, radius / 9, fade(p.theme.colour("edge"), 0.9));
  }

  // bar shows how much is left of something.
  private bar(p: Picture, r: Records, i: number, kind: Kind, radius: number) {
    const bar = roleOf(kind, "bar");
    if (!bar) return;
    const share = Math.min(Math.max((r.attr(i, bar.attr) - bar.min) / (bar.max - bar.min), 0), 1), y = r.y(i) - radius * 1.45, high = radius / 9;
    p.marks.box(r.x(i), y, radius, high, 0, high, { fill: fade(p.theme.colour("nobody"), 0.5) });
    p.marks.box(r.x(i) - radius * (1 - share), y, radius * share, high, 0, high, { fill: p.theme.colour(share < 0.3 ? "user-3" : "accent") });
  }

  outline(p: Picture, r: Records, i: number, colour: Colour, inset: number) {
    if (!placed(this.world.kinds[r.kind(i)])) return;
    const size = this.size(p, r, i);
    p.marks.disc(r.x(i), r.y(i), Math.max(size - inset / p.camera.scale, size / 4), ring(colour, inset));
  }

  protected size(p: Picture, r: Records, i: number): number {
    const width = this.looks[r.kind(i)]?.width;
    return Math.max(width ? width / 2 : this.world.kinds[r.kind(i)].radius, (r.kind(i) === this.avatar ? BODY : LEAST) / p.camera.scale);
  }

  // dead says whether something is out of the game.
  private dead(r: Records, i: number): boolean {
    const kind = this.world.kinds[r.kind(i)], v = roleOf(kind, "gone") ?? kind.variables.find((v) => v.name === "dead" && v.type === "flag");
    return v?.attr !== undefined && r.attr(i, v.attr) !== 0;
  }

  scores(r: Records): Score[] {
    const list: Score[] = [];
    for (let i = 0; i < r.length; i++) {
      const score = roleOf(this.world.kinds[r.kind(i)], "score");
      if (score && r.user(i) !== 0) list.push({ user: r.user(i), value: r.attr(i, score.attr) });
    }
    return sorted(list);
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
