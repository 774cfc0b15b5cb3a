// What keys, mouse and fingers mean in each world: as it says itself (world.Look), or else as its verbs look.

import { verbOf, type Look, type World } from "./schema";

export interface Act {
  verb: number;
  target?: bigint; // the object that it is done with or to
  args: (number | bigint)[];
}

// Where the user's body is, for what depends on it.
export interface Body {
  x: number;
  y: number;
}

export interface InputMap {
  // steer is wanted whenever the direction changes; each coordinate is -1 to 1, and both zero mean to let go.
  steer?(dx: number, dy: number, body: Body | undefined): Act | undefined;
  // again is after how many milliseconds a direction that is held is taken once more; undefined where saying it once is enough.
  again?: number;
  // point is wanted when the user clicks or taps a place. Somebody else who is there is found by their ID.
  point?(x: number, y: number, somebody?: bigint): Act | undefined;
  // track is wanted while the pointer moves over the picture, pressed or not.
  track?(x: number, y: number): Act | undefined;
  // commands says that the user has no body but many people, who are selected and commanded (see strategy.ts).
  commands?: boolean;
  // buttons are for what is done as it is, without a direction or a place: the first by the space bar, each by its number.
  buttons?: Button[];
  help: Help[];
}

export interface Button {
  name: string;
  key?: string; // a letter that presses it too
  act: Act;
}

export interface Help {
  by: string; // what the user does
  does: string;
  touch?: boolean | "only"; // also, or only, with fingers
}

export function newInputs(w: World): InputMap {
  if (w.name === "rts") return { commands: true, help: STRATEGY };
  return w.look?.controls.length ? declared(w, w.look) : guess(w);
}

// declared follows what a world says of its controls.
function declared(w: World, look: Look): InputMap {
  const map: InputMap = { buttons: [], help: [] };
  for (const c of look.controls) {
    const verb = verbOf(w, c.verb), args = w.verbs[verb].args, help = map.help;
    switch (c.by) {
      case "steer":
        map.steer = args.length === 2 ? (dx, dy) => ({ verb, args: disc(dx, dy, args[0].max) }) : (dx, dy) => (dx || dy ? { verb, args: [angle(dx, dy)] } : undefined);
        break;
      case "compass":
        map.steer = (dx, dy) => (dx || dy ? { verb, args: [quarter(dx, dy)] } : undefined);
        break;
      case "height": { // letting go stops it where it is
        const { min, max } = args[0], to = (y: number): Act => ({ verb, args: [clamp(y, min, max)] });
        map.steer = (_, dy, body) => (dy !== 0 ? to(dy < 0 ? min : max) : body && to(body.y));
        map.track = (_, y) => to(y);
        help.push({ by: "W S or \u2191 \u2193", does: c.does }, { by: "mouse or finger", does: c.does, touch: true });
        break;
      }
      case "place":
        map.point = (x, y) => ({ verb, args: [x, y].map((at, i) => clamp(at * c.scale, args[i].min, args[i].max)) });
        help.push({ by: "click or tap", does: c.does, touch: true });
        break;
      case "target":
        map.point = (_x, _y, somebody) => (somebody === undefined ? undefined : { verb, target: somebody, args: [] });
        help.push({ by: "click or tap somebody", does: c.does, touch: true });
        break;
      case "button": {
        const at = map.buttons!.push({ name: c.label || c.verb, key: c.key, act: { verb, args: args.map((a, i) => clamp(c.args[i] ?? 0, a.min, a.max)) } });
        help.push({ by: c.key ? c.key.toUpperCase() : at === 1 ? "Space" : String(at), does: c.does }, { by: `\u201c${c.label || c.verb}\u201d below`, does: c.does, touch: "only" });
      }
    }
    if (c.by === "steer" || c.by === "compass") {
      map.again = c.again || undefined;
      help.push({ by: "WASD or arrows", does: c.does }, { by: "press and drag", does: `${c.does} that way`, touch: true });
    }
  }
  map.help.push(...look.hints.map((h) => ({ ...h, touch: true })));
  return map;
}

// rts: see strategy.ts.
const STRATEGY: Help[] = [
  { by: "click or drag", does: "select your people and buildings", touch: true },
  { by: "right click", does: "send them: to a place, a field, an enemy" },
  { by: "tap a place", does: "send them there", touch: "only" },
  { by: "Shift with right click, or F", does: "march: go and fight whoever is met" },
  { by: "WASD, arrows or the map", does: "look elsewhere" },
  { by: "two fingers", does: "move and stretch the map", touch: "only" },
  { by: "double click", does: "select all of a kind in view" },
  { by: "Ctrl+1 … 9, then 1 … 9", does: "keep a group, and call it again" },
  { by: "Space", does: "back to your base" },
  { by: "E", does: "select your idle workers" },
];

// guess finds verbs that look like steering or going somewhere by what their arguments are called.
function guess(w: World): InputMap {
  const find = (...names: string[]) => w.verbs.findIndex((v) => v.args.length === 2 && v.args.every((a, i) => names[i] === a.name));
  const push = Math.max(find("ax", "ay"), find("vx", "vy"), find("dx", "dy")), go = find("x", "y");
  const turn = w.verbs.findIndex((v) => v.args.length === 1 && v.args[0].type === "angle");
  const map: InputMap = { help: [] };
  if (push >= 0) {
    map.steer = (dx, dy) => ({ verb: push, args: disc(dx, dy, w.verbs[push].args[0].max) });
    map.help.push({ by: "WASD or arrows", does: w.verbs[push].name });
  }
  if (push < 0 && turn >= 0) { // nothing is said on letting go: there is no direction for that
    map.steer = (dx, dy) => (dx || dy ? { verb: turn, args: [angle(dx, dy)] } : undefined);
    map.help.push({ by: "WASD or arrows", does: w.verbs[turn].name });
  }
  if (map.steer) map.help.push({ by: "press and drag", does: "that way", touch: true });
  if (go >= 0) {
    map.point = (x, y) => ({ verb: go, args: [x, y].map((at, i) => clamp(at, w.verbs[go].args[i].min, w.verbs[go].args[i].max)) });
    map.help.push({ by: "click or tap", does: w.verbs[go].name, touch: true });
  }
  // Whatever takes no arguments, or can do with what is nearest to none, is a button.
  map.buttons = w.verbs.flatMap((v, verb) =>
    verb === push || verb === turn || verb === go ? [] : [{ name: v.name, act: { verb, args: v.args.map((a) => clamp(0, a.min, a.max)) } }]);
  map.buttons.forEach((b, i) => map.help.push({ by: i === 0 ? "Space or 1" : String(i + 1), does: b.name }));
  return map;
}

// quarter is the nearest of four directions: 1 is east, 2 south, 3 west, 4 north.
function quarter(dx: number, dy: number): number {
  return Math.abs(dx) >= Math.abs(dy) ? (dx > 0 ? 1 : 3) : dy > 0 ? 2 : 4;
}

// disc turns a direction into a vector of at most a length, in whole numbers.
function disc(dx: number, dy: number, limit: number): number[] {
  const length = Math.max(1, Math.hypot(dx, dy));
  return [Math.trunc((dx / length) * limit), Math.trunc((dy / length) * limit)];
}

// angle turns a direction into an angle as actions have it: a full turn is 2³².
function angle(dx: number, dy: number): number {
  return Math.round((Math.atan2(dy, dx) / (2 * Math.PI)) * 2 ** 32 + 2 ** 32) % 2 ** 32;
}

function clamp(v: number, min: number, max: number): number {
  return Math.round(Math.min(Math.max(v, min), max));
}
