// Keyboard, mouse and touch. A direction comes from keys or from dragging, a place from clicking; the world's input map makes
// actions of them, at most one a tick.

import type { Camera } from "./camera";
import type { Act, Body, InputMap } from "./inputs";

const KEYS: Record<string, [number, number]> = {
  KeyW: [0, -1], ArrowUp: [0, -1], KeyS: [0, 1], ArrowDown: [0, 1], KeyA: [-1, 0], ArrowLeft: [-1, 0], KeyD: [1, 0], ArrowRight: [1, 0],
};

const DRAG = 12; // pixels from which on a press is a drag
const STICK = 70; // pixels of a drag that mean full strength
const WHEEL = 0.0016;

interface Pointer {
  x: number;
  y: number;
  startX: number;
  startY: number;
  dragged: boolean;
}

export class Controls {
  on = true; // whether it is for this to handle
  inputs: InputMap = { help: [] };
  tick = 50; // ms
  body?: Body;
  somebody?: (x: number, y: number) => bigint | undefined; // finds who else is at a place
  piloted = false; // the computer plays: only what is clearly meant counts
  stick?: { x: number; y: number; dx: number; dy: number }; // while dragging, for drawing

  private readonly held = new Set<string>();
  private readonly pointers = new Map<number, Pointer>();
  private pinch = 0;
  private wanted?: Act;
  private sent = "";
  private last = 0;
  private timer = 0;
  private steering = false;
  private repeater = 0;

  constructor(
    private readonly canvas: HTMLElement,
    private readonly camera: Camera,
    private readonly act: (a: Act) => boolean,
    private readonly used: () => void, // the user has taken the controls
  ) {
    addEventListener("keydown", (e) => this.key(e, true));
    addEventListener("keyup", (e) => this.key(e, false));
    addEventListener("blur", () => this.release());
    canvas.addEventListener("pointerdown", (e) => this.on && this.down(e));
    canvas.addEventListener("pointermove", (e) => this.on && this.move(e));
    canvas.addEventListener("pointerup", (e) => this.up(e, true));
    canvas.addEventListener("pointercancel", (e) => this.up(e, false));
    canvas.addEventListener("wheel", (e) => {
      e.preventDefault();
      this.camera.zoomBy(Math.exp(-e.deltaY * (e.deltaMode === 1 ? 20 : 1) * WHEEL));
    }, { passive: false });
  }

  // reset forgets what was said to an earlier node.
  reset(inputs: InputMap, tick: number) {
    this.inputs = inputs;
    this.tick = tick;
    this.sent = "";
    this.wanted = undefined;
    clearInterval(this.repeater);
  }

  // forget is for when somebody else has acted for the user: what was said last no longer holds.
  forget() {
    this.sent = "";
  }

  private key(e: KeyboardEvent, down: boolean) {
    if (!this.on || !(e.code in KEYS) || e.ctrlKey || e.metaKey || e.altKey || typing(e.target) || slides(e)) return;
    e.preventDefault();
    if (e.repeat) return;
    if (down) this.held.add(e.code);
    else this.held.delete(e.code);
    this.used();
    this.steer();
  }

  private release() {
    if (this.held.size === 0) return;
    this.held.clear();
    this.steer();
  }

  // steer tells the direction that keys and finger want together.
  private steer() {
    let dx = 0, dy = 0;
    for (const code of this.held) {
      dx += KEYS[code][0];
      dy += KEYS[code][1];
    }
    if (this.stick && !this.inputs.track) {
      dx += this.stick.dx;
      dy += this.stick.dy;
    }
    dx = Math.min(1, Math.max(-1, dx));
    dy = Math.min(1, Math.max(-1, dy));
    if (dx === 0 && dy === 0 && !this.steering) return;
    this.steering = dx !== 0 || dy !== 0;
    clearInterval(this.repeater);
    const { again } = this.inputs;
    if (again && this.steering) {
      this.repeater = window.setInterval(() => {
        this.forget();
        this.want(this.inputs.steer?.(dx, dy, this.body));
      }, again);
    }
    this.want(this.inputs.steer?.(dx, dy, this.body));
  }

  private down(e: PointerEvent) {
    this.canvas.setPointerCapture(e.pointerId);
    const [x, y] = this.at(e);
    this.pointers.set(e.pointerId, { x, y, startX: x, startY: y, dragged: false });
    if (this.pointers.size === 2) {
      this.pinch = this.spread();
      this.letGo();
    }
    (document.activeElement as HTMLElement | null)?.blur();
  }

  private move(e: PointerEvent) {
    const [x, y] = this.at(e), p = this.pointers.get(e.pointerId);
    if (this.inputs.track && this.pointers.size < 2 && (p || (e.pointerType === "mouse" && !this.piloted))) {
      if (p) this.used();
      this.want(this.inputs.track(...this.camera.toWorld(x, y)));
    }
    if (!p) return;
    p.x = x;
    p.y = y;
    if (this.pointers.size === 2) {
      const spread = this.spread();
      this.camera.zoomBy(spread / (this.pinch || spread));
      this.pinch = spread;
      return;
    }
    const dx = x - p.startX, dy = y - p.startY;
    p.dragged ||= Math.hypot(dx, dy) > DRAG;
    if (p.dragged && this.pinch === 0) {
      const scale = 1 / Math.max(STICK, Math.hypot(dx, dy));
      this.stick = { x: p.startX, y: p.startY, dx: dx * scale, dy: dy * scale };
      this.used();
      this.steer();
    }
  }

  private up(e: PointerEvent, meant: boolean) {
    const p = this.pointers.get(e.pointerId);
    this.pointers.delete(e.pointerId);
    if (!p) return;
    if (meant && !p.dragged && this.pinch === 0) {
      const at = this.camera.toWorld(p.x, p.y), act = this.inputs.point?.(...at, this.somebody?.(...at));
      if (act) this.used();
      this.forget();
      this.want(act);
    }
    this.letGo();
    if (this.pointers.size === 0) this.pinch = 0;
  }

  private letGo() {
    if (!this.stick) return;
    this.stick = undefined;
    this.steer();
  }

  private spread(): number {
    const [a, b] = [...this.pointers.values()];
    return Math.hypot(a.x - b.x, a.y - b.y);
  }

  private at(e: PointerEvent): [number, number] {
    const box = this.canvas.getBoundingClientRect();
    return [e.clientX - box.left, e.clientY - box.top];
  }

  // want has an action taken as soon as a tick has passed since the last one. The latest wish counts.
  private want(a: Act | undefined) {
    if (!a) return;
    this.wanted = a;
    const wait = this.last + this.tick - performance.now();
    clearTimeout(this.timer);
    if (wait <= 0) this.send();
    else this.timer = window.setTimeout(() => this.send(), wait);
  }

  private send() {
    const a = this.wanted;
    this.wanted = undefined;
    if (!a) return;
    const text = [a.verb, a.target, ...a.args].join();
    if (text === this.sent) return;
    if (this.act(a)) {
      this.sent = text;
      this.last = performance.now();
    }
  }
}

// slides says whether a key moves a slider.
function slides(e: KeyboardEvent): boolean {
  return e.target instanceof HTMLInputElement && e.target.type === "range" && e.code.startsWith("Arrow");
}

// typing says whether keys go into a text.
export function typing(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && target.type === "text" || target instanceof HTMLSelectElement;
}
