// A small map of the whole world: what is seen where, which part is on the screen, and, where the mechanism cuts the world into
// areas, which of them are simulated here, which are sent, which are ignored, and what each costs.

import type { Area, Client } from "./client";
import type { Camera } from "./camera";
import { bytes, find, make, say } from "./dom";
import type { Records } from "./records";
import { placed, type World } from "./schema";
import type { Theme } from "./theme";

// The roles of areas, as mechanism.AreaRole has them.
const ROLES = ["ignored", "updated", "simulated"] as const;

const WIDTH = 200; // CSS pixels
const HEIGHT_MAX = 200;

export class Minimap {
  on = false;
  private world!: World;
  private readonly canvas = find<HTMLCanvasElement>("#map");
  private readonly context = this.canvas.getContext("2d")!;
  private scale = 1; // CSS pixels per unit
  private moves: boolean[] = []; // by kind
  private areas: Area[] = [];
  private before?: { at: number; areas: Area[] };

  constructor(private readonly client: Client, private readonly camera: Camera, private readonly theme: Theme, go: (x: number, y: number) => void) {
    const point = (e: PointerEvent) => {
      if (e.buttons === 0) return;
      const box = this.canvas.getBoundingClientRect(), [x0, y0] = this.world.bounds;
      go(x0 + (e.clientX - box.left) / this.scale, y0 + (e.clientY - box.top) / this.scale);
    };
    this.canvas.addEventListener("pointerdown", (e) => {
      this.canvas.setPointerCapture(e.pointerId);
      point(e);
    });
    this.canvas.addEventListener("pointermove", point);
  }

  // reset shows another world, or hides the map where it is of no use.
  reset(world: World, wanted: boolean) {
    this.world = world;
    this.moves = world.kinds.map((k) => k.variables.some((v) => v.name === "vx" || v.name === "goal-x"));
    this.areas = this.client.areas();
    this.before = undefined;
    this.on = wanted || this.areas.length > 0;
    find("#minimap").hidden = !this.on;
    const [x0, y0, x1, y1] = world.bounds;
    this.scale = Math.min(WIDTH / (x1 - x0), HEIGHT_MAX / (y1 - y0));
    const width = (x1 - x0) * this.scale, height = (y1 - y0) * this.scale, ratio = Math.min(window.devicePixelRatio || 1, 2);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  // update learns how areas are treated and shows what they cost. It is called twice a second.
  update(records: Records) {
    if (!this.on) return;
    this.areas = this.client.areas();
    this.client.refresh();
    this.paint(records);
    this.showCosts();
  }

  private paint(r: Records) {
    const { context: c, theme, scale } = this, [x0, y0] = this.world.bounds;
    const box = (x: number, y: number, w: number, h: number): [number, number, number, number] => [(x - x0) * scale, (y - y0) * scale, w * scale, h * scale];
    c.fillStyle = theme.text("unlit");
    c.fillRect(0, 0, this.canvas.width, this.canvas.height);
    for (const a of this.areas) {
      c.fillStyle = theme.text(`area-${ROLES[a.role] ?? ROLES[0]}`);
      c.fillRect(...box(a.x0, a.y0, a.x1 - a.x0, a.y1 - a.y0));
      c.strokeStyle = theme.text("wall");
      c.lineWidth = 1;
      c.strokeRect(...box(a.x0, a.y0, a.x1 - a.x0, a.y1 - a.y0));
    }
    for (let i = 0; i < r.length; i++) {
      if (!placed(this.world.kinds[r.kind(i)])) continue;
      c.fillStyle = theme.userText(r.user(i));
      const x = (r.x(i) - x0) * scale, y = (r.y(i) - y0) * scale;
      if (this.moves[r.kind(i)]) { // people are points, whatever their size; one's own are larger
        c.beginPath();
        c.arc(x, y, r.own(i) ? 2.2 : 1.4, 0, 7);
        c.fill();
        continue;
      }
      const size = Math.max(3, this.world.kinds[r.kind(i)].radius * 2 * scale);
      c.fillRect(x - size / 2, y - size / 2, size, size);
    }
    const [left, top] = this.camera.toWorld(0, 0), { width, height } = this.camera.size();
    c.strokeStyle = theme.text("ink");
    c.lineWidth = 1.5;
    c.strokeRect(...box(left, top, width, height));
  }

  // showCosts says what the areas of each role cost together, over the last seconds.
  private showCosts() {
    const now = performance.now() / 1000, list = find("#areas");
    list.hidden = this.areas.length === 0;
    if (list.hidden) return;
    this.before ??= { at: now, areas: this.areas };
    const passed = now - this.before.at;
    if (passed < 1.5) return;
    const rows = ROLES.map((role, k) => {
      let n = 0, received = 0, work = 0;
      this.areas.forEach((a, i) => {
        const old = this.before!.areas[i];
        if (a.role !== k || !old) return;
        n++;
        received += Math.max(0, a.bytes - old.bytes);
        work += Math.max(0, a.work - old.work);
      });
      const li = make("li", role);
      li.append(make("i"), make("b", "", `${n} ${role}`), make("span", "", `${bytes(received / passed)}/s`), make("span", "", `${amount(work / passed)} op/s`));
      return li;
    });
    list.replaceChildren(...rows);
    this.before = { at: now, areas: this.areas };
    say(find("#minimap-title"), "Areas, and what they cost you");
  }
}

function amount(n: number): string {
  return n < 1000 ? String(Math.round(n)) : n < 1e6 ? `${(n / 1000).toFixed(1)} k` : `${(n / 1e6).toFixed(1)} M`;
}
