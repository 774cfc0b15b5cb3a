// What happened in a run, on its time axis: marks for who came, went, crashed and returned, bands for as long as something lasted.

import { nameOf } from "./names";
import type { Happening } from "./recording";

const SVG = "http://www.w3.org/2000/svg";
const LANE = 14; // px: people above, nodes that fail below them, the network and links last
const TEXT = 13; // px for a line of words
const ROWS = 2; // of words
const LETTER = 5.2; // px that a letter takes, about
const MARKS = 3000; // beyond which marks at the same place are drawn as one all the more

// kinds says how each kind of event is drawn: in which lane, in which colour, with which sign, and with which words.
const kinds: Record<string, { lane: number; colour: string; sign: string; word: string }> = {
  arrive: { lane: 0, colour: "good", sign: "M0,-5 L4,3 L-4,3 Z", word: "arrives" },
  leave: { lane: 0, colour: "soft", sign: "M0,5 L4,-3 L-4,-3 Z", word: "leaves" },
  gather: { lane: 0, colour: "accent", sign: "M0,-5 L5,0 L0,5 L-5,0 Z", word: "is called to a place" },
  crash: { lane: 1, colour: "bad", sign: "M-4,-4 L4,4 M4,-4 L-4,4", word: "crashes" },
  freeze: { lane: 1, colour: "bad", sign: "M-2.5,-4 V4 M2.5,-4 V4", word: "stands still" },
  return: { lane: 1, colour: "good", sign: "M-4,0 A4,4 0 1 1 4,0 A4,4 0 1 1 -4,0", word: "returns" },
  move: { lane: 1, colour: "soft", sign: "M-4,0 H4 M1,-3 L4,0 L1,3", word: "goes on elsewhere" },
  thaw: { lane: 1, colour: "good", sign: "M-3,-4 L4,0 L-3,4 Z", word: "goes on" },
  limit: { lane: 2, colour: "soft", sign: "M-4,0 H4", word: "a link's bandwidth changes" },
  cut: { lane: 2, colour: "bad", sign: "M0,-5 V5", word: "a partition begins" },
  heal: { lane: 2, colour: "good", sign: "M0,-5 V5", word: "a partition ends" },
  disturb: { lane: 2, colour: "bad", sign: "M0,-3 V3", word: "the network gets worse" },
  calm: { lane: 2, colour: "good", sign: "M0,-3 V3", word: "the network is as before" },
};
const other = { lane: 2, colour: "soft", sign: "M0,-3 V3", word: "" };
const ends: Record<string, string> = { cut: "heal", disturb: "calm" }; // what lasts, and what ends it

export class Events {
  private happenings: Happening[] = [];
  private causes: string[] = [];
  private end = 1; // ms

  constructor(private readonly box: HTMLElement, private readonly seek: (ms: number) => void) {
    new ResizeObserver(() => this.draw()).observe(box);
  }

  // show replaces what is drawn. The axis goes from zero to end, in milliseconds.
  show(happenings: Happening[], causes: string[], end: number) {
    [this.happenings, this.causes, this.end] = [happenings.filter((h) => h.at <= end), causes, Math.max(end, 1)];
    this.box.hidden = this.happenings.length === 0;
    this.draw();
  }

  private draw() {
    const width = this.box.clientWidth, lanes = 3 * LANE + 2;
    if (this.box.hidden || width === 0) return this.box.replaceChildren();
    const picture = node("svg", { width, height: lanes + ROWS * TEXT, role: "img" });
    picture.append(words("title", `${this.happenings.length} events: ${this.causes.join("; ")}`));
    const x = (ms: number) => (ms / this.end) * (width - 12) + 6;
    for (const band of this.bands()) {
      const bar = node("rect", { x: x(band.from), y: 2 * LANE + 1, width: Math.max(1, x(band.to) - x(band.from)), height: LANE, class: "band" });
      bar.append(words("title", `${moment(band.from)} to ${moment(band.to)}: ${this.causes[band.cause] ?? ""}`));
      picture.append(bar);
    }
    for (const mark of this.marks(x)) picture.append(mark);
    for (const label of this.labels(x, width, lanes)) picture.append(label);
    this.box.replaceChildren(picture);
  }

  // bands are what lasts for a while: from each beginning to the next end by the same cause, or to the end of all.
  private bands() {
    return this.happenings.flatMap((h, i) => {
      if (!(h.kind in ends)) return [];
      const over = this.happenings.slice(i).find((o) => o.kind === ends[h.kind] && (o.cause === h.cause || /heal/.test(this.causes[o.cause] ?? "")));
      return [{ from: h.at, to: over?.at ?? this.end, cause: h.cause }];
    });
  }

  // marks are one for each event, or one for several that would lie on each other.
  private marks(x: (ms: number) => number): Element[] {
    const grain = this.happenings.length > MARKS ? 4 : 1, places = new Map<string, Happening[]>();
    for (const h of this.happenings) {
      const place = `${h.kind} ${Math.round(x(h.at) / grain)}`;
      places.set(place, [...(places.get(place) ?? []), h]);
    }
    return [...places.values()].map((list) => {
      const [first] = list, kind = kinds[first.kind] ?? other;
      const mark = node("g", {
        class: `mark ${kind.colour}`, "data-kind": first.kind, "data-count": list.length,
        transform: `translate(${x(first.at).toFixed(1)} ${kind.lane * LANE + LANE / 2 + 1})`,
      });
      mark.append(node("rect", { x: -5, y: -LANE / 2, width: 10, height: LANE }), node("path", { d: kind.sign })); // thin signs can be hit, too
      mark.append(words("title", `${moment(first.at)}: ${this.told(list)}\n${this.causes[first.cause] ?? ""}`));
      mark.addEventListener("click", () => this.seek(first.at));
      return mark;
    });
  }

  private told(list: Happening[]): string {
    const [first] = list, word = kinds[first.kind]?.word ?? first.kind;
    if (list.length > 1) return `${list.length} times: ${word}`;
    return first.node === 0 ? word : `${first.user ? nameOf(first.user) : "node"} (${first.node}) ${word}`;
  }

  // labels are the statements, each where it first happens, as far as there is room.
  private labels(x: (ms: number) => number, width: number, y: number): Element[] {
    const list: Element[] = [], told = new Set<number>();
    const free = Array<number>(ROWS).fill(0);
    for (const h of this.happenings) {
      if (told.has(h.cause)) continue;
      told.add(h.cause);
      const text = (this.causes[h.cause] ?? "").replace(/^[^:]*: */, ""), long = text.length * LETTER;
      const left = Math.max(0, Math.min(x(h.at), width - long - 6)), row = free.findIndex((f) => f <= left);
      if (row < 0) continue;
      list.push(words("text", text, { x: left, y: y + (row + 1) * TEXT - 4, class: "cause" }));
      free[row] = left + long + 10;
    }
    return list;
  }
}

function node(name: string, attributes: Record<string, string | number>): SVGElement {
  const element = document.createElementNS(SVG, name) as SVGElement;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

function words(name: string, text: string, attributes: Record<string, string | number> = {}): SVGElement {
  const element = node(name, attributes);
  element.textContent = text;
  return element;
}

function moment(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
