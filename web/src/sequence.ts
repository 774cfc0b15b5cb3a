// The datagrams between hosts around a moment: time from left to right, a line for each host, an arrow for each datagram; and what is in
// them, by name.

import { find, make, say } from "./dom";
import { nameOf } from "./names";
import type { About, Datagram, Noted, Recording } from "./recording";

const SVG = "http://www.w3.org/2000/svg";
const ROW = 26; // px between two hosts
const LEFT = 92; // px for their names
const HOSTS = 12; // that are shown at most
const ARROWS = 400; // that are drawn
const LISTED = 120; // that are listed

export class Sequence {
  private readonly box = find("#sequence-picture");
  private readonly list = find("#sequence-list");
  private readonly span = find<HTMLSelectElement>("#sequence-span");
  private readonly details = find<HTMLDetailsElement>("#sequence");
  private drawn = "";
  private recording?: Recording;
  private about?: About;
  private chosen: number[] = [];
  private at = 0;

  constructor(private readonly seek: (ms: number) => void) {
    this.span.addEventListener("change", () => this.draw());
    this.details.addEventListener("toggle", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.box);
  }

  // show says which recording it is about.
  show(recording: Recording, about: About) {
    [this.recording, this.about, this.drawn] = [recording, about, ""];
    this.details.hidden = recording.noted(0, 0, 0).sent === 0;
  }

  // follow shows the datagrams around a moment, of the hosts that are chosen and those they speak to.
  follow(at: number, chosen: number[]) {
    [this.at, this.chosen] = [at, chosen];
    this.draw();
  }

  get open() { return this.details.open; }

  private draw() {
    const { recording, about } = this, width = this.box.clientWidth;
    if (!recording || !about || !this.details.open || width === 0) return;
    const span = +this.span.value, from = Math.max(0, this.at - span / 2), to = from + span, key = [from, to, width, ...this.chosen].join();
    if (key === this.drawn) return;
    this.drawn = key;
    const noted = recording.noted(from, to, 5000), hosts = this.hosts(noted), row = new Map(hosts.map((h, i) => [h, i]));
    const shown = noted.datagrams.filter((d) => row.has(d.from) && row.has(d.to)), events = noted.events.filter((e) => row.has(e.node));
    const x = (ms: number) => LEFT + ((ms - from) / span) * (width - LEFT - 8), y = (node: number) => 14 + row.get(node)! * ROW;
    const picture = node("svg", { width, height: 22 + hosts.length * ROW, role: "img", "aria-label": `${shown.length} datagrams between ${hosts.length} hosts` });
    for (const h of hosts) picture.append(node("line", { x1: LEFT, x2: width - 8, y1: y(h), y2: y(h), class: "life" }));
    picture.append(node("line", { x1: x(this.at), x2: x(this.at), y1: 0, y2: 8 + hosts.length * ROW, class: "now" }));
    for (const d of shown.slice(0, ARROWS)) picture.append(this.arrow(d, x, y, to));
    for (const e of events.slice(0, ARROWS)) {
      const mark = node("circle", { cx: x(e.at), cy: y(e.node), r: 3.5, class: `event ${e.text}` });
      mark.append(title(`${(e.at / 1000).toFixed(3)} s: ${e.text}${e.value ? ` (${e.value})` : ""}`));
      picture.append(mark);
    }
    picture.append(node("rect", { x: 0, y: 0, width: LEFT - 6, height: 22 + hosts.length * ROW, class: "margin" })); // over what was sent earlier
    for (const h of hosts) picture.append(words(this.nameOf(h), { x: 2, y: y(h) + 4, class: "host" }));
    this.box.replaceChildren(picture);
    const late = this.at > noted.until ? ` Nothing was noted after ${(noted.until / 1000).toFixed(1)} s.` : "";
    say(find("#sequence-told"), `${shown.length} datagrams${noted.datagrams.length > shown.length ? ` of ${noted.datagrams.length}: those of the hosts that are chosen` : ""}, ${events.length} events.${late}`);
    this.list.replaceChildren(...shown.slice(0, LISTED).map((d) => this.line(d)));
  }

  // hosts are the chosen ones, and those with whom they exchange most.
  private hosts(noted: Noted): number[] {
    const own = this.chosen.map((i) => this.about!.tracks[i].node).filter((n) => n > 0), often = new Map<number, number>();
    for (const d of noted.datagrams) {
      if (own.includes(d.from)) often.set(d.to, (often.get(d.to) ?? 0) + 1);
      if (own.includes(d.to)) often.set(d.from, (often.get(d.from) ?? 0) + 1);
    }
    const others = [...often.keys()].filter((n) => !own.includes(n)).sort((a, b) => often.get(b)! - often.get(a)!);
    return [...own, ...others].slice(0, HOSTS).sort((a, b) => a - b);
  }

  private nameOf(n: number): string {
    const track = this.about!.tracks.find((t) => t.node === n);
    return track?.user ? `${n} ${nameOf(track.user)}`.slice(0, 14) : `node ${n}`;
  }

  private arrow(d: Datagram, x: (ms: number) => number, y: (node: number) => number, until: number): SVGElement {
    const x1 = x(d.at), y1 = y(d.from), far = d.got === undefined ? 0.5 : 1;
    const x2 = x(d.got ?? Math.min(d.at + 40, until)), y2 = y1 + (y(d.to) - y1) * far;
    const g = node("g", { class: `datagram ${d.class}${d.lost ? " lost" : ""}` });
    const angle = Math.atan2(y2 - y1, x2 - x1), tip = (by: number) => `${(x2 - 6 * Math.cos(angle + by)).toFixed(1)},${(y2 - 6 * Math.sin(angle + by)).toFixed(1)}`;
    g.append(node("line", { x1, y1, x2, y2 }));
    if (d.got !== undefined) g.append(node("path", { d: `M${x2.toFixed(1)},${y2.toFixed(1)} L${tip(0.4)} L${tip(-0.4)} Z` }));
    if (d.lost) g.append(node("path", { d: `M${x2 - 4},${y2 - 4} l8,8 m0,-8 l-8,8`, class: "cross" }));
    g.append(title(this.told(d)));
    return g;
  }

  private told(d: Datagram): string {
    const how = d.lost ? "lost" : d.got === undefined ? "under way" : `${(d.got - d.at).toFixed(1)} ms`;
    return `${(d.at / 1000).toFixed(3)} s  ${d.from} → ${d.to}  ${d.class}, ${d.size} B, ${how}\n${d.text}`;
  }

  private line(d: Datagram): HTMLElement {
    const tr = make("tr", d.lost ? "lost" : ""), at = make("button", "", (d.at / 1000).toFixed(3)), first = make("td");
    at.type = "button";
    at.title = "Go to this moment";
    at.addEventListener("click", () => this.seek(d.at));
    first.append(at);
    const how = d.lost ? "lost" : d.got === undefined ? "–" : `${(d.got - d.at).toFixed(1)} ms`;
    tr.append(first, ...[`${d.from} → ${d.to}`, d.class, `${d.size} B`, how, d.text].map((t) => make("td", "", t)));
    return tr;
  }
}

function node(name: string, attributes: Record<string, string | number>): SVGElement {
  const element = document.createElementNS(SVG, name) as SVGElement;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, typeof value === "number" ? String(+value.toFixed(1)) : value);
  return element;
}

function words(text: string, attributes: Record<string, string | number>): SVGElement {
  const element = node("text", attributes);
  element.textContent = text;
  return element;
}

function title(text: string): SVGElement {
  const element = node("title", {});
  element.textContent = text;
  return element;
}
