// A small curve of the last minute, drawn as an area.

export class Sparkline {
  private readonly values: number[] = [];

  constructor(private readonly svg: SVGSVGElement, private readonly length = 60) {}

  // add appends a value; limit is drawn as a line if there is one.
  add(value: number, limit: number) {
    this.values.push(value);
    if (this.values.length > this.length) this.values.shift();
    const top = Math.max(limit, ...this.values, 1) * 1.1;
    const width = 100, height = 30;
    const x = (i: number) => width - (this.values.length - 1 - i) * (width / (this.length - 1));
    const y = (v: number) => height - (v / top) * height;
    const line = this.values.map((v, i) => `${x(i).toFixed(2)},${y(v).toFixed(2)}`).join(" L");
    const [area, curve, budget] = this.svg.querySelectorAll("path");
    area.setAttribute("d", `M${x(0)},${height} L${line} L${width},${height} Z`);
    curve.setAttribute("d", `M${line}`);
    budget.setAttribute("d", limit > 0 ? `M0,${y(limit)} L${width},${y(limit)}` : "");
  }
}
