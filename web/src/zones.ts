// Zones, and the tree of players in the user's own: who feeds the user, who would, and whom the user feeds.

import type { Client } from "./client";
import { bytes, find, make, millis, say } from "./dom";
import { fade } from "./marks";
import type { Picture } from "./paint/painter";

// The roles of zones and ties, as package mechanism has them.
export enum ZoneRole { Apart, Seen, Home }
export enum TieRole { Parent, Backup, Child, Window }

export interface Zone {
  outline: number[]; // x and y of its corners, in turn
  band: number; // how wide the strip along its borders is in which one stays where one comes from
  role: ZoneRole;
  given: number; // parts that neighbours are in charge of
}

// Times are in milliseconds, bytes are since the tie began.
export interface Tie {
  node: number;
  user: number; // 0 for the zone's server
  role: TieRole;
  zone: number;
  level: number;
  trip: number;
  silent: number;
  sent: number;
  relayed: number;
  received: number;
  direct: boolean;
}

export interface Zoned {
  zones: Zone[];
  ties: Tie[];
}

interface Place {
  x: number;
  y: number;
}

const FILLS = [0, 0.06, 0.12]; // by role of the zone
const DASH = 9; // pixels
const DASHES_MAX = 500; // of a line: peers say themselves where they are

export class Zones {
  private now: Zoned = { zones: [], ties: [] };
  private before?: { at: number; ties: Tie[] };
  private lost?: { node: number; name: string; at: number };

  constructor(private readonly client: Client) {}

  // ground draws the zones, under everything.
  ground({ marks, camera, theme }: Picture) {
    const accent = theme.colour("accent"), ink = theme.colour("ink"), thin = 1 / camera.scale;
    for (const z of this.now.zones) {
      each(z.outline, (ax, ay, bx, by) => {
        if (z.band > 0) marks.line(ax, ay, bx, by, z.band / 2, fade(theme.colour("warn"), 0.05));
        marks.line(ax, ay, bx, by, (z.role === ZoneRole.Home ? 1.6 : 0.8) * thin, fade(z.role === ZoneRole.Home ? accent : ink, 0.6));
      });
      if (z.role === ZoneRole.Apart) continue;
      const { x, y } = middle(z), reach = Math.sqrt(area(z) / Math.PI);
      marks.disc(x, y, reach * 0.9, { fill: fade(accent, FILLS[z.role]), soft: reach * 0.5 });
      if (z.given > 0) marks.disc(x, y, 6 * thin, { fill: fade(theme.colour("warn"), 0.8) });
    }
  }

  // ties draws lines to those whom the user's node deals with. Servers are in the middle of their zones.
  ties({ marks, camera, theme, seconds }: Picture, me: Place | undefined, bodyOf: (user: number) => Place | undefined) {
    if (!me) return;
    const unit = 1 / camera.scale, colours = ["good", "soft", "accent", "warn"].map((c) => theme.colour(c));
    for (const t of this.now.ties) {
      const to = t.user ? bodyOf(t.user) : this.now.zones[t.zone] && middle(this.now.zones[t.zone]);
      if (!to) continue;
      const colour = colours[t.role], dx = to.x - me.x, dy = to.y - me.y, long = Math.hypot(dx, dy) || 1;
      if (t.role === TieRole.Backup || t.role === TieRole.Window) {
        const step = Math.max(DASH * unit, long / DASHES_MAX);
        for (let at = 0; at < long; at += 2 * step) {
          const end = Math.min(at + step, long);
          marks.line(me.x + (dx * at) / long, me.y + (dy * at) / long, me.x + (dx * end) / long, me.y + (dy * end) / long, unit, fade(colour, 0.8));
        }
      } else {
        marks.line(me.x, me.y, to.x, to.y, (t.direct ? 2 : 1.2) * unit, fade(colour, 0.75));
        const flow = (seconds * 0.8) % 1, share = t.role === TieRole.Child ? flow : 1 - flow; // news comes from the parent and goes to children
        marks.disc(me.x + dx * share, me.y + dy * share, 3.5 * unit, { fill: colour });
      }
      if (t.user === 0) marks.box(to.x, to.y, 7 * unit, 7 * unit, Math.PI / 4, 2 * unit, { fill: fade(colour, 0.9), edge: theme.colour("edge"), width: 1 });
    }
  }

  // update says in words how the user is placed. It is called twice a second.
  update(wanted: boolean, nameOf: (user: number) => string) {
    if (!wanted) return;
    this.now = this.client.zones() ?? { zones: [], ties: [] };
    this.client.refresh();
    const { ties, zones } = this.now, who = (t: Tie) => (t.user ? nameOf(t.user) : "the server");
    const of = (role: TieRole) => ties.filter((t) => t.role === role), [parent] = of(TieRole.Parent), [backup] = of(TieRole.Backup), children = of(TieRole.Child);
    const home = zones.findIndex((z) => z.role === ZoneRole.Home), rates = this.rates();
    const way = (t: Tie) => `${who(t)}${t.trip > 0 ? ` · ${millis(t.trip * 1e6)}` : ""}${t.direct ? " · directly" : ""}`;
    const rows: [string, string][] = [
      ["My zone", home < 0 ? "none yet" : `${home + 1} of ${zones.length}${parent ? `, level ${parent.level + 1}` : ""}`],
      ["Fed by", parent ? way(parent) : "nobody"],
      ["In reserve", backup ? way(backup) : "nobody"],
      ["I feed", children.length > 0 ? children.map(who).join(", ") : "nobody"],
      ["I look into", of(TieRole.Window).map((t) => `zone ${t.zone + 1}`).join(", ") || "no other zone"],
      ["I pass on", `${bytes(rates.relayed)}/s`],
      ["I send in all", `${bytes(rates.sent)}/s`],
    ];
    find("#tree-list").replaceChildren(...rows.map(([name, value]) => {
      const row = make("div");
      row.append(make("dt", "", name), make("dd", "", value));
      return row;
    }));
    find<HTMLButtonElement>("#vanish").disabled = !parent || parent.user === 0 || this.lost !== undefined;
    find("#vanish").title = parent?.user === 0 ? "Your parent is the zone's server, which stays." : "Nothing of your parent gets through any more, as if its machine were gone.";
    if (this.lost && parent && parent.node !== this.lost.node) {
      say(find("#vanish-note"), `${this.lost.name} was replaced by ${who(parent)} after ${millis((performance.now() - this.lost.at) * 1e6)}.`);
      this.lost = undefined;
    }
  }

  // vanish makes the user's parent seem to be gone.
  vanish(nameOf: (user: number) => string) {
    const parent = this.now.ties.find((t) => t.role === TieRole.Parent);
    if (!parent || parent.user === 0) return;
    this.client.vanish(parent.node);
    this.lost = { node: parent.node, name: nameOf(parent.user), at: performance.now() };
    say(find("#vanish-note"), `Nothing comes from ${this.lost.name} any more …`);
  }

  // rates are the bytes that were sent and passed on in a second, by ties that are still there.
  private rates(): { sent: number; relayed: number } {
    const at = performance.now() / 1000, { before } = this, sum = { sent: 0, relayed: 0 };
    this.before = { at, ties: this.now.ties };
    if (!before || at - before.at < 0.1) return sum;
    for (const t of this.now.ties) {
      const then = before.ties.find((b) => b.node === t.node && b.role === t.role);
      if (!then) continue;
      sum.sent += Math.max(0, t.sent - then.sent) / (at - before.at);
      sum.relayed += Math.max(0, t.relayed - then.relayed) / (at - before.at);
    }
    return sum;
  }

  // look is for those who want to know from outside, such as tests.
  look(): Zoned { return this.client.zones() ?? this.now; }
}

// each calls f with every side of an outline.
function each(outline: number[], f: (ax: number, ay: number, bx: number, by: number) => void) {
  for (let i = 0; i + 1 < outline.length; i += 2) {
    const j = (i + 2) % outline.length;
    f(outline[i], outline[i + 1], outline[j], outline[j + 1]);
  }
}

function middle({ outline }: Zone): Place {
  let x = 0, y = 0;
  const n = outline.length / 2 || 1;
  for (let i = 0; i + 1 < outline.length; i += 2) {
    x += outline[i] / n;
    y += outline[i + 1] / n;
  }
  return { x, y };
}

function area({ outline }: Zone): number {
  let sum = 0;
  each(outline, (ax, ay, bx, by) => (sum += ax * by - bx * ay));
  return Math.abs(sum) / 2;
}
