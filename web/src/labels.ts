// Texts over the picture: what people say, what places are called, scores. They are drawn on a canvas of their own.

import type { Camera } from "./camera";
import type { Theme } from "./theme";

const BUBBLES = 24; // at most so many are drawn, and none over another
const HEIGHT = 26; // px of a bubble,
const TAIL = 6; // and of what points at its speaker
const PEOPLE = 400; // who are kept clear of bubbles at most
// Where a bubble may be: its widths to the right and its heights up from above its speaker, the best first.
const PLACES = [[0, 0], [0.5, 0], [-0.5, 0], [0, 1.2], [0.5, 1.2], [-0.5, 1.2], [0, 2.4]];
const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";

interface Bubble {
  text: string;
  x: number;
  y: number;
  own: boolean;
}

export class Labels {
  private readonly context: CanvasRenderingContext2D;
  private bubbles: Bubble[] = [];
  private people: [number, number][] = []; // where on the page somebody stands, whom bubbles had better not cover

  constructor(readonly canvas: HTMLCanvasElement, private readonly camera: Camera, private readonly theme: Theme) {
    this.context = canvas.getContext("2d")!;
  }

  // begin clears the canvas for a frame.
  begin() {
    const c = this.context;
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.clearRect(0, 0, this.canvas.width, this.canvas.height);
    c.setTransform(this.camera.ratio, 0, 0, this.camera.ratio, 0, 0);
    c.textAlign = "center";
    c.textBaseline = "middle";
    this.bubbles = [];
    this.people = [];
  }

  // person says where somebody stands.
  person(x: number, y: number) {
    if (this.people.length < PEOPLE) this.people.push(this.camera.toPage(x, y));
  }

  // big writes large and faint; size is in the world's unit.
  big(text: string, x: number, y: number, size: number) {
    this.write(text, x, y, `700 ${size * this.camera.scale}px ${FONT}`, this.theme.text("faint"));
  }

  place(text: string, x: number, y: number) {
    if (this.camera.scale < 4) return;
    this.write(text.toUpperCase(), x, y, `600 11px ${FONT}`, this.theme.text("place"));
  }

  // name writes under something, a number of pixels away.
  name(text: string, x: number, y: number, below: number, own = false) {
    const [px, py] = this.camera.toPage(x, y);
    this.writeAt(text, px, py + below + 9, `${own ? 700 : 500} 12px ${FONT}`, this.theme.text(own ? "accent" : "ink"), true);
  }

  private write(text: string, x: number, y: number, font: string, colour: string) {
    const [px, py] = this.camera.toPage(x, y);
    this.writeAt(text, px, py, font, colour, false);
  }

  private writeAt(text: string, px: number, py: number, font: string, colour: string, halo: boolean) {
    const c = this.context;
    c.font = font;
    if (halo) {
      c.lineWidth = 3;
      c.lineJoin = "round";
      c.strokeStyle = this.theme.text("halo");
      c.strokeText(text, px, py);
    }
    c.fillStyle = colour;
    c.fillText(text, px, py);
  }

  bubble(text: string, x: number, y: number, own: boolean) {
    if (text) this.bubbles.push({ text, x, y, own });
  }

  // end draws what must be above everything else. Those near the middle, where the user is, come first.
  end() {
    const middle = (b: Bubble) => (b.own ? -1 : Math.hypot(b.x - this.camera.x, b.y - this.camera.y));
    const taken: DOMRect[] = [];
    this.context.font = `500 13px ${FONT}`;
    for (const b of this.bubbles.sort((a, b) => middle(a) - middle(b)).slice(0, BUBBLES)) {
      const box = this.roomFor(b, taken);
      if (!box) continue;
      taken.push(box);
      this.drawBubble(b, box);
    }
  }

  // roomFor finds where a bubble covers no other, nothing that it need not, and as few people as can be.
  private roomFor(b: Bubble, taken: DOMRect[]): DOMRect | undefined {
    const usual = this.boxOf(b), top = this.camera.insets.top;
    let best: DOMRect | undefined, least = Infinity;
    for (const [dx, dy] of PLACES) {
      const box = new DOMRect(usual.left + dx * (usual.width - 24), usual.top - dy * HEIGHT, usual.width, HEIGHT);
      if (taken.some((t) => box.left < t.right && t.left < box.right && box.top < t.bottom && t.top < box.bottom)) continue;
      const covered = this.people.filter(([x, y]) => x > box.left - 6 && x < box.right + 6 && y > box.top - 6 && y < box.bottom + 2).length + (box.top < top ? 3 : 0);
      if (covered < least) [best, least] = [box, covered];
      if (least === 0) break;
    }
    return best;
  }

  private boxOf(b: Bubble): DOMRect {
    const [px, py] = this.camera.toPage(b.x, b.y), width = this.context.measureText(b.text).width + 20;
    return new DOMRect(px - width / 2, py - HEIGHT - TAIL, width, HEIGHT);
  }

  private drawBubble(b: Bubble, { left, top, width, height }: DOMRect) {
    const c = this.context, px = left + width / 2, [x, y] = this.camera.toPage(b.x, b.y);
    const foot = Math.min(Math.max(x, left + 12), left + width - 12); // where the tail begins
    c.beginPath();
    c.roundRect(left, top, width, height, 9);
    c.moveTo(foot - 5, top + height - 0.5);
    c.lineTo(x, y);
    c.lineTo(foot + 5, top + height - 0.5);
    c.shadowColor = "rgb(0 0 0 / 0.25)";
    c.shadowBlur = 6;
    c.shadowOffsetY = 1;
    c.fillStyle = this.theme.text(b.own ? "accent" : "bubble");
    c.fill();
    c.shadowColor = "transparent";
    c.fillStyle = this.theme.text(b.own ? "on-accent" : "ink");
    c.fillText(b.text, px, top + height / 2 + 0.5);
  }
}
