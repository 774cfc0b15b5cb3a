// Datagrams and roll-backs over the time of a recording, as a strip above its events.

import { find, say } from "./dom";
import type { Density, Recording } from "./recording";
import type { Theme } from "./theme";

const HEIGHT = 30; // px
const BAR = 3; // px of one part of the time
const MARK = 5; // px that marks of what went wrong take at the top

export class Packets {
  private parts: Density[] = [];
  private recording?: Recording;

  constructor(private readonly canvas: HTMLCanvasElement, private readonly theme: Theme, seek: (share: number) => void) {
    new ResizeObserver(() => this.draw()).observe(canvas);
    canvas.addEventListener("pointerdown", (e) => seek(e.offsetX / canvas.clientWidth));
    canvas.addEventListener("pointermove", (e) => e.buttons & 1 && seek(e.offsetX / canvas.clientWidth));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  show(recording: Recording) {
    this.recording = recording;
    this.draw();
  }

  private draw() {
    const { canvas, theme, recording } = this, ratio = devicePixelRatio || 1, width = canvas.parentElement!.clientWidth;
    if (!recording) return;
    this.parts = recording.density(Math.max(1, Math.floor(width / BAR)));
    const sum = (k: keyof Density) => this.parts.reduce((n, p) => n + p[k], 0), sent = sum("sent"), all = sent + sum("events") + sum("rollbacks") + sum("late");
    find("#packets").hidden = all === 0;
    if (all === 0 || width === 0) return;
    const words = [`${sent} datagrams`, `${sum("lost")} lost`, `${sum("late")} too late`, `${sum("rollbacks")} roll-backs`].join(" · ");
    canvas.setAttribute("aria-label", `Over the time of the recording: ${words}`);
    say(find("#packets-told"), words);
    canvas.width = width * ratio;
    canvas.height = HEIGHT * ratio;
    const paint = canvas.getContext("2d")!, most = Math.max(1, ...this.parts.map((p) => p.sent)), room = HEIGHT - 2 * MARK;
    paint.scale(ratio, ratio);
    this.parts.forEach((p, i) => {
      const x = (i * width) / this.parts.length, bar = (n: number, colour: string) => {
        paint.fillStyle = theme.text(colour);
        paint.fillRect(x, HEIGHT - (n / most) * room, BAR - 0.5, (n / most) * room);
      };
      bar(p.sent, "nobody");
      bar(p.lost, "bad");
      if (p.rollbacks > 0) this.mark(paint, x, 0, "accent");
      if (p.late > 0) this.mark(paint, x, MARK, "warn");
    });
  }

  private mark(paint: CanvasRenderingContext2D, x: number, y: number, colour: string) {
    paint.fillStyle = this.theme.text(colour);
    paint.fillRect(x, y, BAR - 0.5, MARK - 1);
  }
}
