// Commanding many: selecting, ordering, building and training, with a camera that goes where its user wants. It knows verbs and
// kinds by their names, and what something costs from what the world says about it.

import type { Camera } from "./camera";
import { typing } from "./controls";
import { find, make, say } from "./dom";
import type { Act } from "./inputs";
import type { Records } from "./records";
import { attrOf, kindOf, verbOf, type World } from "./schema";

const DRAG = 6; // pixels from which on a press is a drag
const PAN = 700; // pixels a second by keys
const TWICE = 350; // ms between the presses of a double click
const AT_ONCE = 4; // commands sent each tick
const SPACING = 1.4; // tiles between those who are sent to one place
const FINE = 16; // places are commanded in so many parts of a tile
const BESIDE = 4; // tiles from a base at which one can trade
const OFFER = 10;

const KEYS: Record<string, [number, number]> = {
  KeyW: [0, -1], ArrowUp: [0, -1], KeyS: [0, 1], ArrowDown: [0, 1], KeyA: [-1, 0], ArrowLeft: [-1, 0], KeyD: [1, 0], ArrowRight: [1, 0],
};

// What buttons without a key of their own are pressed by, in their order: what is left beside moving, E, F and X.
const HOTKEYS = ["KeyQ", "KeyR", "KeyT", "KeyG", "KeyB", "KeyV", "KeyN"];

interface Press {
  button: number;
  startX: number;
  startY: number;
  x: number;
  y: number;
  dragged: boolean;
}

// A mode is what the next click on the ground means.
type Mode = { name: "march" } | { name: "build"; kind: number } | undefined;

export class Strategy {
  on = false;
  user = 0;
  at?: { x: number; y: number }; // where the camera is to look
  box?: { x: number; y: number; dx: number; dy: number }; // being drawn, in pixels of the page
  readonly selected = new Set<bigint>();
  defeated = false; // there was something of the user's, and there is nothing any more

  private world!: World;
  private records?: Records;
  private mode: Mode;
  private readonly held = new Set<string>();
  private readonly presses = new Map<number, Press>();
  private pinch = 0;
  private clicked = { at: 0, kind: -1 };
  private readonly queue: Act[] = [];
  private bar = ""; // what the buttons were made for
  private readonly hotkeys = new Map<string, () => void>(); // by their codes
  private readonly groups = new Map<string, bigint[]>(); // by digit
  private had = false; // something

  constructor(
    private readonly canvas: HTMLElement,
    private readonly camera: Camera,
    private readonly act: (a: Act) => boolean,
    private readonly used: () => void,
  ) {
    addEventListener("keydown", (e) => this.key(e, true));
    addEventListener("keyup", (e) => this.key(e, false));
    addEventListener("blur", () => this.held.clear());
    canvas.addEventListener("pointerdown", (e) => this.on && this.down(e));
    canvas.addEventListener("pointermove", (e) => this.on && this.move(e));
    canvas.addEventListener("pointerup", (e) => this.on && this.up(e));
    canvas.addEventListener("pointercancel", (e) => this.presses.delete(e.pointerId));
    canvas.addEventListener("contextmenu", (e) => this.on && e.preventDefault());
  }

  // reset begins anew in a world.
  reset(world: World, user: number, on: boolean) {
    this.on = on;
    this.world = world;
    this.user = user;
    this.at = undefined;
    this.mode = undefined;
    this.selected.clear();
    this.queue.length = 0;
    this.groups.clear();
    this.had = this.defeated = false;
    this.bar = "";
    find("#command").hidden = !this.on;
  }

  // see takes what the user sees now, moves the camera and sends what is waiting.
  see(records: Records, seconds: number) {
    this.records = records;
    let own = false;
    for (let i = 0; i < records.length && !own; i++) own = records.own(i);
    this.had ||= own;
    this.defeated = this.had && !own;
    if (!this.at) this.toBase();
    let dx = 0, dy = 0;
    for (const code of this.held) {
      dx += KEYS[code][0];
      dy += KEYS[code][1];
    }
    if (dx || dy) this.pan((dx * PAN * seconds) / this.camera.scale, (dy * PAN * seconds) / this.camera.scale);
    for (let n = 0; n < AT_ONCE && this.queue.length > 0; n++) this.act(this.queue.shift()!);
  }

  // look moves the camera to a place.
  look(x: number, y: number) {
    const [x0, y0, x1, y1] = this.world.bounds;
    this.at = { x: Math.min(x1, Math.max(x0, x)), y: Math.min(y1, Math.max(y0, y)) };
  }

  private pan(dx: number, dy: number) {
    if (this.at) this.look(this.at.x + dx, this.at.y + dy);
  }

  private toBase() {
    const r = this.records!, i = r.findOwn(kindOf(this.world, "base"));
    if (i >= 0) this.look(r.x(i), r.y(i));
  }

  private key(e: KeyboardEvent, down: boolean) {
    if (this.on && down && !typing(e.target) && /^Digit[1-9]$/.test(e.code)) this.group(e);
    if (!this.on || e.ctrlKey || e.metaKey || e.altKey || typing(e.target)) return;
    if (e.code in KEYS) {
      e.preventDefault();
      if (down) this.held.add(e.code);
      else this.held.delete(e.code);
    }
    if (!down || e.repeat) return;
    this.hotkeys.get(e.code)?.();
    switch (e.code) {
      case "Escape": this.mode = undefined; this.selected.clear(); break;
      case "Space": e.preventDefault(); this.toBase(); break;
      case "KeyX": this.each("stop", () => []); break;
      case "KeyE": this.selected.clear(); this.selectWhere((i) => this.idle(i)); break;
      case "KeyF": if (this.selected.size > 0) this.mode = { name: "march" }; break;
    }
  }

  // group keeps who is selected under a digit, with Ctrl, or selects them again.
  private group(e: KeyboardEvent) {
    if (e.altKey || e.metaKey) return;
    e.preventDefault();
    if (e.ctrlKey) {
      this.groups.set(e.code, [...this.selected]);
      return;
    }
    this.selected.clear();
    for (const id of this.groups.get(e.code) ?? []) this.selected.add(id);
  }

  // idle says whether somebody is a worker with nothing to do.
  private idle(i: number): boolean {
    const r = this.records!;
    return this.world.kinds[r.kind(i)].name === "worker" && Math.hypot(r.vx(i), r.vy(i)) < 0.01 && r.attr(i, attrOf(this.world, "worker", "load")) === 0;
  }

  private down(e: PointerEvent) {
    this.canvas.setPointerCapture(e.pointerId);
    const [x, y] = this.point(e);
    this.presses.set(e.pointerId, { button: e.button, startX: x, startY: y, x, y, dragged: false });
    if (this.presses.size === 2) this.pinch = this.spread();
    (document.activeElement as HTMLElement | null)?.blur();
  }

  private move(e: PointerEvent) {
    const p = this.presses.get(e.pointerId);
    if (!p) return;
    const [x, y] = this.point(e), dx = x - p.x, dy = y - p.y;
    p.x = x;
    p.y = y;
    p.dragged ||= Math.hypot(x - p.startX, y - p.startY) > DRAG;
    if (this.presses.size === 2) { // two fingers move and stretch the map
      this.box = undefined;
      this.pan(-dx / 2 / this.camera.scale, -dy / 2 / this.camera.scale);
      const spread = this.spread();
      this.camera.zoomBy(spread / (this.pinch || spread));
      this.pinch = spread;
    } else if (p.button === 1) {
      this.pan(-dx / this.camera.scale, -dy / this.camera.scale);
    } else if (p.button === 0 && p.dragged && !this.pinch) {
      this.box = { x: p.startX, y: p.startY, dx: x - p.startX, dy: y - p.startY };
    }
  }

  private up(e: PointerEvent) {
    const p = this.presses.get(e.pointerId), pinched = this.pinch !== 0;
    this.presses.delete(e.pointerId);
    if (this.presses.size === 0) this.pinch = 0;
    if (!p || pinched || p.button === 1) return;
    this.used();
    const [x, y] = this.camera.toWorld(p.x, p.y);
    if (this.box && p.button === 0) this.selectBox(e.shiftKey);
    else if (p.button === 2) this.order(x, y, e.shiftKey);
    else this.click(x, y, e);
    this.box = undefined;
  }

  // click selects what is there, or carries out what the next click was to mean. A finger has no second button: it orders where
  // there is nothing of one's own.
  private click(x: number, y: number, e: PointerEvent) {
    if (this.mode) {
      this.aim(x, y);
      return;
    }
    const r = this.records!, i = this.find(x, y);
    if (i >= 0 && r.own(i)) {
      const again = performance.now() - this.clicked.at < TWICE && this.clicked.kind === r.kind(i);
      this.clicked = { at: performance.now(), kind: r.kind(i) };
      if (!e.shiftKey) this.selected.clear();
      if (again) this.selectWhere((j) => r.kind(j) === r.kind(i) && this.camera.sees(r.x(j), r.y(j), 0));
      else this.selected.add(r.id(i));
    } else if (e.pointerType === "touch" && this.selected.size > 0) {
      this.order(x, y, false);
    } else {
      this.selected.clear();
    }
  }

  private aim(x: number, y: number) {
    const mode = this.mode!;
    this.mode = undefined;
    if (mode.name === "march") this.send("march", x, y);
    else this.each("build", () => [mode.kind, ...this.place(x, y)], "base");
  }

  private selectBox(more: boolean) {
    const b = this.box!, r = this.records!;
    const [ax, ay] = this.camera.toWorld(b.x, b.y), [bx, by] = this.camera.toWorld(b.x + b.dx, b.y + b.dy);
    const inside = (i: number) => (r.x(i) - ax) * (r.x(i) - bx) <= 0 && (r.y(i) - ay) * (r.y(i) - by) <= 0;
    if (!more) this.selected.clear();
    this.selectWhere((i) => inside(i) && this.walks(r.kind(i)));
    if (this.selected.size === 0) this.selectWhere(inside);
  }

  private selectWhere(test: (i: number) => boolean) {
    const r = this.records!;
    for (let i = 0; i < r.length; i++) if (r.own(i) && test(i)) this.selected.add(r.id(i));
  }

  private walks(kind: number): boolean {
    return this.world.kinds[kind].variables.some((v) => v.name === "vx" || v.name === "goal-x");
  }

  // find returns what is at a place, or -1.
  private find(x: number, y: number): number {
    const r = this.records!, reach = 6 / this.camera.scale;
    let best = -1, nearest = Infinity;
    for (let i = 0; i < r.length; i++) {
      const far = Math.hypot(r.x(i) - x, r.y(i) - y) - this.world.kinds[r.kind(i)].radius;
      if (far < reach && far < nearest) [best, nearest] = [i, far];
    }
    return best;
  }

  // order tells those who are selected to do what the place suggests: gather, trade, attack, or go there.
  private order(x: number, y: number, march: boolean) {
    const r = this.records!, i = this.find(x, y), name = i < 0 ? "" : this.world.kinds[r.kind(i)].name;
    const id = i < 0 ? 0n : r.id(i), enemy = i >= 0 && !r.own(i) && r.user(i) !== 0;
    const base = r.findOwn(kindOf(this.world, "base"));
    if (name === "field" && base >= 0) {
      this.each("gather", () => [...this.place(r.x(i), r.y(i)), ...this.place(r.x(base), r.y(base))], "worker");
      this.send("go", x, y, (kind) => kind !== "worker");
    } else if (enemy && verbOf(this.world, "attack") >= 0) {
      this.each("attack", () => [id, ...this.place(r.x(i), r.y(i))], "soldier", "archer", "rider");
      if (name === "base") this.trade(i);
    } else {
      this.send(march && verbOf(this.world, "march") >= 0 ? "march" : "go", x, y);
    }
  }

  // trade has loaded workers beside somebody's base take what it offers, and others go there.
  private trade(base: number) {
    const r = this.records!, id = r.id(base), x = r.x(base), y = r.y(base);
    for (const i of this.chosen("worker")) {
      if (Math.hypot(r.x(i) - x, r.y(i) - y) < BESIDE) this.say("trade", i, [id]);
      else this.say("go", i, this.place(x, y + 2.5));
    }
  }

  // send has everybody who is selected and can walk go to places around one.
  private send(verb: string, x: number, y: number, only = (_: string) => true) {
    const r = this.records!, fights = verb === "march" ? ["soldier", "archer", "rider"] : undefined;
    const list = [...this.chosen()].filter((i) => {
      const name = this.world.kinds[r.kind(i)].name;
      return this.walks(r.kind(i)) && only(name) && (!fights || fights.includes(name));
    });
    const side = Math.ceil(Math.sqrt(list.length));
    list.forEach((i, n) => {
      const dx = ((n % side) - (side - 1) / 2) * SPACING, dy = (Math.floor(n / side) - (side - 1) / 2) * SPACING;
      this.say(verb, i, this.place(x + dx, y + dy));
    });
  }

  // place is a place as commands have it.
  private place(x: number, y: number): number[] {
    const [x0, y0, x1, y1] = this.world.bounds;
    return [Math.min(x1, Math.max(x0, x)) * FINE, Math.min(y1, Math.max(y0, y)) * FINE];
  }

  // each commands those who are selected, or only those of some kinds.
  private each(verb: string, args: (i: number) => (number | bigint)[], ...kinds: string[]) {
    for (const i of this.chosen(...kinds)) this.say(verb, i, args(i));
  }

  private *chosen(...kinds: string[]): Generator<number> {
    const r = this.records;
    for (let i = 0; r && i < r.length; i++) {
      if (this.selected.has(r.id(i)) && (kinds.length === 0 || kinds.includes(this.world.kinds[r.kind(i)].name))) yield i;
    }
  }

  private say(verb: string, i: number, args: (number | bigint)[]) {
    const v = verbOf(this.world, verb);
    if (v >= 0) this.queue.push({ verb: v, target: this.records!.id(i), args });
  }

  private spread(): number {
    const [a, b] = [...this.presses.values()];
    return Math.hypot(a.x - b.x, a.y - b.y);
  }

  private point(e: PointerEvent): [number, number] {
    const box = this.canvas.getBoundingClientRect();
    return [e.clientX - box.left, e.clientY - box.top];
  }

  // update shows what is selected, what that can do, and what there is to spend. It is called twice a second.
  update() {
    const r = this.records;
    if (!this.on || !r) return;
    const counts = new Map<number, number>();
    for (const i of this.chosen()) counts.set(r.kind(i), (counts.get(r.kind(i)) ?? 0) + 1);
    const name = (k: number) => this.world.kinds[k].name;
    say(find("#chosen"), this.mode ? `${this.mode.name === "build" ? `build: ${name(this.mode.kind)}` : "march"}: click where` :
      [...counts].map(([k, n]) => (n === 1 ? name(k) : `${n} ${name(k)}${name(k).endsWith("s") ? "" : "s"}`)).join(", ") || "nothing selected");
    this.showStock(r);
    const bar = [...counts.keys()].sort().join();
    if (bar === this.bar) return;
    this.bar = bar;
    find("#orders").replaceChildren(...this.buttons([...counts.keys()].map(name)));
  }

  private showStock(r: Records) {
    const ore = attrOf(this.world, "base", "ore"), wood = attrOf(this.world, "base", "wood"), base = kindOf(this.world, "base");
    if (ore < 0) return;
    let sums = [0, 0];
    for (let i = 0; i < r.length; i++) if (r.own(i) && r.kind(i) === base) sums = [sums[0] + r.attr(i, ore), sums[1] + r.attr(i, wood)];
    say(find("#stock"), `${sums[0]} ore · ${sums[1]} wood`);
  }

  private buttons(names: string[]): HTMLElement[] {
    const list: HTMLElement[] = [], free = [...HOTKEYS];
    this.hotkeys.clear();
    const add = (text: string, about: string, press: () => void, own?: string) => {
      const b = make("button", "", text), code = own ? undefined : free.shift(), does = () => {
        this.used();
        press();
      };
      b.type = "button";
      b.title = about;
      if (code) this.hotkeys.set(code, does);
      if (own ?? code) b.append(make("kbd", "", own ?? code!.slice(3)));
      if (about) b.append(make("small", "", about));
      b.addEventListener("click", does);
      list.push(b);
    };
    const train = (at: string, kinds: string[]) => {
      for (const k of kinds) add(k, this.about(k), () => this.each("train", () => [kindOf(this.world, k)], at));
    };
    if (verbOf(this.world, "train") < 0) return list; // a game in which avatars only walk
    if (names.includes("base")) {
      train("base", ["worker"]);
      for (const k of ["barracks", "tower", "base"]) add(`build ${k}`, this.about(k), () => (this.mode = { name: "build", kind: kindOf(this.world, k) }));
      add("sell ore", `${OFFER} for ${OFFER} wood`, () => this.each("offer", () => [OFFER, OFFER], "base"));
      add("sell wood", `${OFFER} for ${OFFER} ore`, () => this.each("offer", () => [-OFFER, OFFER], "base"));
      add("sell nothing", "", () => this.each("offer", () => [0, 0], "base"));
    }
    if (names.includes("barracks")) train("barracks", ["soldier", "archer", "rider"]);
    if (names.some((n) => ["soldier", "archer", "rider"].includes(n))) add("march", "", () => (this.mode = { name: "march" }), "F");
    if (names.some((n) => this.walks(kindOf(this.world, n)))) add("stop", "", () => this.each("stop", () => []), "X");
    return list;
  }

  private about(kind: string): string {
    return this.world.kinds[kindOf(this.world, kind)].about ?? "";
  }
}
