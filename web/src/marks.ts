// Everything that is drawn is a mark: a box with rounded corners, turned by an angle, with a fill, an edge and perhaps a soft
// rim. With corners as round as it is large, a box is a disc or a capsule. A frame is one list of marks, from back to front,
// which goes to the graphics card in one piece.

// The numbers of a mark: x, y, half width, half height, cosine, sine, corner, softness, edge in pixels, fill, edge colour.
export const STRIDE = 12;

// A colour has red in its lowest byte and alpha in its highest.
export type Colour = number;

export function rgba(r: number, g: number, b: number, a = 1): Colour {
  return ((Math.round(a * 255) << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

// fade returns a colour with a share of its opacity.
export function fade(c: Colour, share: number): Colour {
  return ((c & 0xffffff) | (Math.round((c >>> 24) * Math.min(1, Math.max(0, share))) << 24)) >>> 0;
}

// mix returns a colour a share of the way to another.
export function mix(a: Colour, b: Colour, share: number): Colour {
  let c = 0;
  for (let shift = 0; shift < 32; shift += 8) {
    const from = (a >>> shift) & 255;
    c |= Math.round(from + (((b >>> shift) & 255) - from) * share) << shift;
  }
  return c >>> 0;
}

export const NONE: Colour = 0;

export interface Style {
  fill?: Colour;
  edge?: Colour;
  width?: number; // of the edge, in pixels
  soft?: number; // how wide the rim fades out, in the world's unit
}

export class Marks {
  count = 0;
  floats = new Float32Array(1024 * STRIDE);
  private words = new Uint32Array(this.floats.buffer);

  clear() {
    this.count = 0;
  }

  box(x: number, y: number, halfWidth: number, halfHeight: number, angle: number, corner: number, s: Style) {
    if ((this.count + 1) * STRIDE > this.floats.length) this.grow();
    const at = this.count++ * STRIDE;
    const f = this.floats;
    f[at] = x;
    f[at + 1] = y;
    f[at + 2] = halfWidth;
    f[at + 3] = halfHeight;
    f[at + 4] = Math.cos(angle);
    f[at + 5] = Math.sin(angle);
    f[at + 6] = Math.min(corner, halfWidth, halfHeight);
    f[at + 7] = s.soft ?? 0;
    f[at + 8] = s.edge ? (s.width ?? 1.5) : 0;
    this.words[at + 9] = s.fill ?? NONE;
    this.words[at + 10] = s.edge ?? NONE;
  }

  disc(x: number, y: number, radius: number, s: Style) {
    this.box(x, y, radius, radius, 0, radius, s);
  }

  // line draws from one place to another.
  line(x1: number, y1: number, x2: number, y2: number, halfWidth: number, fill: Colour) {
    const dx = x2 - x1, dy = y2 - y1;
    this.box((x1 + x2) / 2, (y1 + y2) / 2, Math.hypot(dx, dy) / 2 + halfWidth, halfWidth, Math.atan2(dy, dx), halfWidth, { fill });
  }

  colour(i: number): Colour { return this.words[i * STRIDE + 9]; }
  edgeColour(i: number): Colour { return this.words[i * STRIDE + 10]; }

  private grow() {
    const floats = new Float32Array(this.floats.length * 2);
    floats.set(this.floats);
    this.floats = floats;
    this.words = new Uint32Array(floats.buffer);
  }
}
