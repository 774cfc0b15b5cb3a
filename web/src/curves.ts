// Curves under the picture, all over the same time, with a head that follows what is shown.

import uPlot from "uplot";

import { find, make, say } from "./dom";
import type { Theme } from "./theme";

const HEIGHT = 92; // px
const AXIS = 56;
const FIRST = ["divergence", "drift", "error", "payload"]; // shown where nobody has chosen: the first two that there are

export interface Drawn {
  labels: { name: string; unit: string }[];
  values: (number | null)[][];
  span: number; // seconds from frame to frame
  warmup: number; // seconds; what is before counts for nothing
}

export class Curves {
  chosen: string[] = []; // by name
  private drawn?: Drawn;
  private beside?: Drawn; // of the recording beside, dashed
  private plots: { plot: uPlot; head: HTMLElement; value: HTMLElement; values: (number | null)[]; unit: string }[] = [];
  private seconds: number[] = [];

  constructor(private readonly box: HTMLElement, private readonly theme: Theme, private readonly seek: (seconds: number) => void, private readonly changed: () => void) {
    new ResizeObserver(() => {
      for (const { plot } of this.plots) plot.setSize({ width: box.clientWidth, height: HEIGHT });
      this.follow(this.at);
    }).observe(box);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.plots.forEach(({ plot }) => plot.redraw()));
  }
  private at = 0;

  // show replaces the curves; others are those of a recording beside, of the same names.
  show(drawn: Drawn, beside?: Drawn) {
    [this.drawn, this.beside] = [drawn, beside];
    const known = drawn.labels.filter((_, i) => drawn.values[i].some((v) => v !== null)).map((l) => l.name);
    this.chosen = this.chosen.filter((name) => known.includes(name));
    if (this.chosen.length === 0) this.chosen = [...FIRST.filter((name) => known.includes(name)), ...known].slice(0, Math.min(2, known.length));
    const menu = find<HTMLDetailsElement>("#measures");
    menu.hidden = known.length < 2;
    find("#measures-list").replaceChildren(...known.map((name) => {
      const item = make("li"), label = make("label"), box = make("input");
      box.type = "checkbox";
      box.checked = this.chosen.includes(name);
      box.addEventListener("change", () => {
        this.chosen = known.filter((n) => (n === name ? box.checked : this.chosen.includes(n)));
        this.draw();
      });
      label.append(box, name);
      item.append(label);
      return item;
    }));
    this.draw();
  }

  private draw() {
    const { drawn, beside } = this;
    if (!drawn) return;
    for (const { plot } of this.plots) plot.destroy();
    this.box.replaceChildren();
    this.seconds = Array.from({ length: drawn.values[0]?.length ?? 0 }, (_, i) => i * drawn.span);
    this.plots = this.chosen.map((name, i) => {
      const at = drawn.labels.findIndex((l) => l.name === name), other = beside ? beside.labels.findIndex((l) => l.name === name) : -1;
      return this.build(drawn.labels[at], drawn.values[at], i, drawn.warmup, other < 0 ? undefined : sampled(beside!.values[other], beside!.span, this.seconds));
    });
    this.follow(this.at);
    this.changed();
  }

  private build({ name, unit }: { name: string; unit: string }, values: (number | null)[], i: number, warmup: number, beside?: (number | null)[]) {
    const figure = make("div", "curve"), title = make("h3", "", `${name} `), value = make("b");
    title.append(value, unit ? ` ${unit}` : "");
    figure.append(title);
    this.box.append(figure);
    const colour = () => this.theme.text(`user-${i % 10}`), soft = () => this.theme.text("soft"), rule = () => this.theme.text("rule");
    const axis = { stroke: soft, font: "11px system-ui, sans-serif", grid: { stroke: rule, width: 1 }, ticks: { stroke: rule, width: 1, size: 4 } };
    const plot = new uPlot({
      width: this.box.clientWidth, height: HEIGHT,
      legend: { show: false },
      padding: [8, 12, 0, 0],
      cursor: { sync: { key: "throng" }, drag: { x: false, y: false }, points: { show: false } },
      scales: { x: { time: false } },
      series: [{}, { stroke: colour, width: 1.5, points: { show: false }, fill: () => `${colour()}1f` }, ...(beside ? [{ stroke: () => this.theme.text("ink"), width: 1.5, dash: [5, 4], points: { show: false } }] : [])],
      axes: [{ ...axis, size: 22, space: 60 }, { ...axis, size: AXIS, space: 24, values: (_, ticks) => ticks.map(short) }],
      hooks: {
        drawClear: [(u) => {
          if (warmup <= 0) return;
          u.ctx.fillStyle = this.theme.text("faint");
          u.ctx.fillRect(u.bbox.left, u.bbox.top, u.valToPos(warmup, "x", true) - u.bbox.left, u.bbox.height);
        }],
      },
    }, beside ? [this.seconds, values, beside] : [this.seconds, values], figure);
    plot.over.addEventListener("pointerdown", (e) => this.drag(plot, e));
    plot.over.addEventListener("pointermove", (e) => e.buttons & 1 && this.drag(plot, e));
    const head = make("div", "head");
    figure.append(head);
    return { plot, head, value, values, unit };
  }

  private drag(plot: uPlot, e: PointerEvent) {
    if (e.type === "pointerdown") plot.over.setPointerCapture(e.pointerId);
    const box = plot.over.getBoundingClientRect();
    this.seek(plot.posToVal(Math.min(Math.max(e.clientX - box.left, 0), box.width), "x"));
  }

  // follow moves the head.
  follow(seconds: number) {
    this.at = seconds;
    for (const { plot, head, value, values } of this.plots) {
      const left = plot.over.offsetLeft + plot.valToPos(seconds, "x");
      head.style.transform = `translateX(${left.toFixed(1)}px)`;
      const frame = Math.min(Math.floor(seconds / (this.seconds[1] || 1) + 1e-6), values.length - 1);
      say(value, values[frame] == null ? "–" : short(values[frame]));
    }
  }
}

// short writes a number with three digits that matter.
function short(n: number): string {
  if (n === 0) return "0";
  const size = Math.abs(n);
  if (size >= 1e5 || size < 1e-4) return n.toExponential(1);
  return String(+n.toPrecision(3));
}

// sampled is a curve at other moments than its own.
function sampled(values: (number | null)[], span: number, seconds: number[]): (number | null)[] {
  return seconds.map((s) => values[Math.round(s / span)] ?? null);
}
