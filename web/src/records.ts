// The list of objects to draw, read in place from the memory of a Go program (see web/internal/display).

const SIZE = 96;

const OWN = 1; // a flag

export class Records {
  length = 0;
  private u16 = new Uint16Array(0);
  private u32 = new Uint32Array(0);
  private f32 = new Float32Array(0);
  private f64 = new Float64Array(0);
  private u64 = new BigUint64Array(0);

  private at = 0;

  // bind points the list at n records in a memory.
  bind(buffer: ArrayBuffer, at: number, n: number): this {
    this.length = n;
    this.at = at;
    if (n > 0) {
      this.u16 = new Uint16Array(buffer, at, (n * SIZE) / 2);
      this.u32 = new Uint32Array(buffer, at, (n * SIZE) / 4);
      this.f32 = new Float32Array(buffer, at, (n * SIZE) / 4);
      this.f64 = new Float64Array(buffer, at, (n * SIZE) / 8);
      this.u64 = new BigUint64Array(buffer, at, (n * SIZE) / 8);
    }
    return this;
  }

  // refresh is needed when the memory may have grown since: the page then sees it as another buffer.
  refresh(buffer: ArrayBuffer) {
    if (this.length > 0 && this.f64.buffer !== buffer) this.bind(buffer, this.at, this.length);
  }

  id(i: number) { return this.u64[i * 12]; }
  user(i: number) { return this.u32[i * 24 + 2]; }
  kind(i: number) { return this.u16[i * 48 + 6]; }
  flags(i: number) { return this.u16[i * 48 + 7]; }
  own(i: number) { return (this.flags(i) & OWN) !== 0; }
  x(i: number) { return this.f32[i * 24 + 4]; }
  y(i: number) { return this.f32[i * 24 + 5]; }
  vx(i: number) { return this.f32[i * 24 + 6]; }
  vy(i: number) { return this.f32[i * 24 + 7]; }
  attr(i: number, k: number) { return this.f64[i * 12 + 4 + k]; }

  // findOwn returns the place of the user's own object of a kind, or of kinds, or -1.
  findOwn(kind: number | ((kind: number) => boolean)): number {
    const is = typeof kind === "number" ? (k: number) => k === kind : kind;
    for (let i = 0; i < this.length; i++) if (this.own(i) && is(this.kind(i))) return i;
    return -1;
  }
}
