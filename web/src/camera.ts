// The camera looks at a place of the world and knows how many pixels of the page a unit of the world takes.

const ZOOM_MAX = 12;
const SETTLING = 0.12; // seconds in which the camera gets two thirds of the way to where it should be
const MARGIN = 0.03; // of the picture, beyond the edges of the world
const CLOSEST = 9; // CSS pixels that a unit has at least where only the user's surroundings are shown

// Insets are the parts of the picture that buttons cover, in CSS pixels.
export interface Insets {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

export class Camera {
  x = 0;
  y = 0;
  scale = 1; // CSS pixels per unit
  zoom = 1; // by the user, relative to what is usual for the world
  ratio = 1; // device pixels per CSS pixel

  insets: Insets = { top: 0, right: 0, bottom: 0, left: 0 };

  private base = 1;
  private least = 1; // zoom at which all of the world is seen
  private placed = false;
  private radius = 0; // around the user; 0 for the whole world
  private bounds: [number, number, number, number] = [0, 0, 1, 1];
  private width = 1;
  private height = 1;

  // show sets what there is to look at: the whole of it, or what is within a radius around the user.
  show(bounds: [number, number, number, number], radius?: number) {
    this.bounds = bounds;
    this.radius = radius ?? 0;
    this.placed = false;
    this.fit();
  }

  // resize fits the canvases to their element. It returns whether anything has changed.
  resize(canvases: HTMLCanvasElement[]): boolean {
    const box = canvases[0].getBoundingClientRect();
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const width = Math.max(1, Math.round(box.width * ratio)), height = Math.max(1, Math.round(box.height * ratio));
    if (canvases[0].width === width && canvases[0].height === height && this.ratio === ratio) return false;
    for (const c of canvases) {
      c.width = width;
      c.height = height;
    }
    this.ratio = ratio;
    this.width = box.width;
    this.height = box.height;
    this.fit();
    return true;
  }

  private fit() {
    const [x0, y0, x1, y1] = this.bounds, { insets } = this;
    const clear = Math.min((this.width - insets.left - insets.right) / (x1 - x0), (this.height - insets.top - insets.bottom) / (y1 - y0));
    const around = clear / (1 + 2 * MARGIN);
    this.base = this.radius ? Math.max(Math.min(this.width, this.height) / 2 / this.radius, Math.min(CLOSEST, 1000 / this.radius)) : around;
    this.least = Math.min(1, around / this.base);
    this.zoomBy(1);
  }

  zoomBy(factor: number) {
    this.zoom = Math.min(ZOOM_MAX, Math.max(this.least, this.zoom * factor));
    this.scale = this.base * this.zoom;
  }

  // follow moves the camera towards a place, as far as the edges of the world let it.
  follow(x: number | undefined, y: number | undefined, seconds: number) {
    const [x0, y0, x1, y1] = this.bounds, { insets, scale } = this;
    // Who is followed is in the middle of what is not covered.
    const dx = (insets.right - insets.left) / 2 / scale, dy = (insets.bottom - insets.top) / 2 / scale;
    const tx = hold(x === undefined ? this.x : x + dx, x0, x1, this.width / scale, insets.left / scale, insets.right / scale);
    const ty = hold(y === undefined ? this.y : y + dy, y0, y1, this.height / scale, insets.top / scale, insets.bottom / scale);
    const share = this.placed ? 1 - Math.exp(-seconds / SETTLING) : 1;
    this.placed ||= x !== undefined;
    this.x += (tx - this.x) * share;
    this.y += (ty - this.y) * share;
  }

  // size is how much of the world is in the picture.
  size(): { width: number; height: number } {
    return { width: this.width / this.scale, height: this.height / this.scale };
  }

  // toWorld says which place of the world is at a point of the canvas.
  toWorld(px: number, py: number): [number, number] {
    return [this.x + (px - this.width / 2) / this.scale, this.y + (py - this.height / 2) / this.scale];
  }

  toPage(x: number, y: number): [number, number] {
    return [(x - this.x) * this.scale + this.width / 2, (y - this.y) * this.scale + this.height / 2];
  }

  // sees says whether something of a size is in the picture.
  sees(x: number, y: number, reach: number): boolean {
    return Math.abs(x - this.x) < this.width / this.scale / 2 + reach && Math.abs(y - this.y) < this.height / this.scale / 2 + reach;
  }
}

// hold keeps a view of some width within bounds, or puts their middle into the middle of what is not covered.
function hold(at: number, low: number, high: number, width: number, before: number, after: number): number {
  const clear = width - before - after, margin = MARGIN * 0.99 * Math.min(clear, high - low);
  if (clear >= high - low + 2 * margin) return (low + high) / 2 + (after - before) / 2;
  return Math.min(Math.max(at, low - margin - before + width / 2), high + margin + after - width / 2);
}
