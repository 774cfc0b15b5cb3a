// One object of a recording: its attributes at this moment at every host that is shown, and one of them over time.

import { find, make, say } from "./dom";
import { nameOf } from "./names";
import type { Recording, Track } from "./recording";
import type { Records } from "./records";
import type { Variable, World } from "./schema";

const MOMENTS = 160; // at which an attribute is looked at for its curve
const WIDTH = 260, HEIGHT = 80; // of the curve

export class Inspector {
  id?: bigint; // of the object, if one is chosen
  private kind = 0;
  private followed = ""; // the attribute whose curve is shown

  constructor(private readonly recording: Recording, private readonly again: () => void) {
    find("#object-close").addEventListener("click", () => this.choose(undefined));
  }

  // choose takes an object to be looked at, or none.
  choose(id: bigint | undefined) {
    this.id = id;
    this.followed = "";
    find("#object").hidden = id === undefined;
    find("#object-curve").replaceChildren();
    this.again();
  }

  // pick chooses what is at a place as a host saw it.
  pick(r: Records, world: World, x: number, y: number, reach: number) {
    let best = -1, nearest = reach;
    for (let i = 0; i < r.length; i++) {
      const far = Math.hypot(r.x(i) - x, r.y(i) - y) - world.kinds[r.kind(i)].radius;
      if (far < nearest && world.kinds[r.kind(i)].variables.some((v) => v.name === "x")) [best, nearest] = [i, far];
    }
    this.choose(best < 0 ? undefined : r.id(best));
  }

  // show lists what each host takes the object's attributes to be; what differs from the first is marked.
  show(world: World, tracks: Track[], chosen: number[]) {
    const { id } = this;
    if (id === undefined) return;
    const columns = chosen.map((track) => this.read(track, id, world));
    const known = columns.find((c) => c);
    const kind = world.kinds[this.kind], head = make("tr");
    say(find("#object-title"), known ? `${kind.name} ${id}${known.user ? `, ${nameOf(known.user)}` : ""}` : `object ${id}: nobody shown here has it now`);
    head.append(make("th"), ...chosen.map((t) => make("th", "", trackName(tracks[t]))));
    const rows = kind.variables.map((v) => {
      const row = make("tr"), name = make("th"), button = make("button", "", v.name), values = columns.map((c) => c?.values.get(v.name));
      button.type = "button";
      button.title = "over time";
      button.addEventListener("click", () => {
        this.followed = v.name;
        this.curve(world, tracks, chosen, v);
      });
      name.append(button);
      row.append(name, ...values.map((value, i) => make("td", value === values[0] ? "" : i > 0 ? "differs" : "", value === undefined ? "–" : format(value, v))));
      return row;
    });
    find("#object-values").replaceChildren(head, ...rows);
  }

  private read(track: number, id: bigint, world: World): { user: number; values: Map<string, number> } | undefined {
    const r = this.recording.list(track);
    for (let i = 0; i < r.length; i++) {
      if (r.id(i) !== id) continue;
      this.kind = r.kind(i);
      const plain: Record<string, number> = { x: r.x(i), y: r.y(i), vx: r.vx(i), vy: r.vy(i) };
      return { user: r.user(i), values: new Map(world.kinds[this.kind].variables.map((v) => [v.name, v.attr === undefined ? plain[v.name] ?? NaN : r.attr(i, v.attr)])) };
    }
    return undefined;
  }

  // curve draws an attribute over the whole recording, a line for each host.
  private curve(world: World, tracks: Track[], chosen: number[], v: Variable) {
    const lines: (number | undefined)[][] = chosen.map(() => []);
    for (let k = 0; k < MOMENTS; k++) {
      this.recording.show((this.length * k) / (MOMENTS - 1));
      chosen.forEach((track, i) => lines[i].push(this.read(track, this.id!, world)?.values.get(v.name)));
    }
    const all = lines.flat().filter((y): y is number => y !== undefined), low = Math.min(...all), high = Math.max(...all), span = high - low || 1;
    const path = (line: (number | undefined)[]) => line.map((y, k) => (y === undefined ? "" : `${line[k - 1] === undefined ? "M" : "L"}${((WIDTH * k) / (MOMENTS - 1)).toFixed(1)},${(HEIGHT - (HEIGHT * (y - low)) / span).toFixed(1)}`)).join("");
    const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    for (const [name, value] of [["viewBox", `0 -3 ${WIDTH} ${HEIGHT + 6}`], ["role", "img"], ["aria-label", `${v.name} over time, from ${format(low, v)} to ${format(high, v)}`]]) picture.setAttribute(name, value);
    lines.forEach((line, i) => {
      const p = document.createElementNS("http://www.w3.org/2000/svg", "path");
      p.setAttribute("d", path(line));
      p.style.stroke = `var(--${trackColour(tracks[chosen[i]])})`;
      picture.append(p);
    });
    find("#object-curve").replaceChildren(make("p", "note", `${this.followed} over time, from ${format(low, v)} to ${format(high, v)}`), picture);
    this.again();
  }

  length = 0; // of the recording, in ms
}

// trackColour is the custom property with a host's colour.
export function trackColour(t: Track): string {
  return t.role === "truth" ? "soft" : `user-${(t.node - 1) % 10}`;
}

export function trackName(t: Track): string {
  return t.role === "truth" ? "The truth" : t.user ? nameOf(t.user) : `${t.role} ${t.node}`;
}

function format(value: number, v: Variable): string {
  const text = Number.isInteger(value) ? String(value) : value.toFixed(Math.abs(value) < 10 ? 3 : 1);
  return v.unit ? `${text} ${v.unit}` : text;
}
