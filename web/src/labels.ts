// Texts over the picture: what people say, what places are called, scores. They are drawn on a canvas of their own.

import type { Camera } from "./camera";
import type { Theme } from "./theme";

const BUBBLES = 24; // at most so many are drawn: the last ones, which are on top
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

  // end draws what must be above everything else.
  end() {
    for (const b of this.bubbles.slice(-BUBBLES)) this.drawBubble(b);
  }

  private drawBubble(b: Bubble) {
    const c = this.context;
    c.font = `500 13px ${FONT}`;
    const [px, py] = this.camera.toPage(b.x, b.y);
    const width = c.measureText(b.text).width + 20, height = 26, tail = 6;
    const left = px - width / 2, top = py - height - tail;
    c.beginPath();
    c.roundRect(left, top, width, height, 9);
    c.moveTo(px - 5, top + height - 0.5);
    c.lineTo(px, top + height + tail);
    c.lineTo(px + 5, top + height - 0.5);
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
