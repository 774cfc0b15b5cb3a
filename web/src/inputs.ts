// What keys, mouse and fingers mean in each world: the one place where the page knows about verbs.

import { verbOf, type World } from "./schema";

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
  act: Act;
}

export interface Help {
  by: string; // what the user does
  does: string;
  touch?: boolean | "only"; // also, or only, with fingers
}

export function newInputs(w: World): InputMap {
  switch (w.name) {
    case "pong": return pong(w);
    case "swarm": return swarm(w);
    case "crowd": return crowd(w);
    case "manhattan": return manhattan(w);
    case "combat": return combat(w);
    case "shooters": return shooters(w);
    case "philosophers": return philosophers(w);
    case "rts": return { commands: true, help: STRATEGY };
  }
  return guess(w);
}

// pong: the racket goes to a height; letting go stops it where it is.
function pong(w: World): InputMap {
  const verb = verbOf(w, "move"), { min, max } = w.verbs[verb].args[0];
  const to = (y: number): Act => ({ verb, args: [clamp(y, min, max)] });
  return {
    steer: (_, dy, body) => (dy !== 0 ? to(dy < 0 ? min : max) : body && to(body.y)),
    track: (_, y) => to(y),
    help: [{ by: "W S or ↑ ↓", does: "move your racket" }, { by: "mouse or finger", does: "the racket follows", touch: true }],
  };
}

// swarm: a bee accelerates as long as it is told to.
function swarm(w: World): InputMap {
  const verb = verbOf(w, "steer"), limit = w.verbs[verb].args[0].max;
  return {
    steer: (dx, dy) => ({ verb, args: disc(dx, dy, limit) }),
    help: [
      { by: "WASD or arrows", does: "accelerate" },
      { by: "press and drag", does: "accelerate that way", touch: true },
      { by: "queen", does: "be near her to gather honey, and touch nobody", touch: true },
    ],
  };
}

// crowd: walk by hand, or go somewhere along the streets.
function crowd(w: World): InputMap {
  const walk = verbOf(w, "walk"), go = verbOf(w, "goto");
  const limit = w.verbs[walk].args[0].max, far = w.verbs[go].args[0].max;
  const cm = (m: number) => clamp(m * 100, 0, far);
  return {
    steer: (dx, dy) => ({ verb: walk, args: disc(dx, dy, limit) }),
    point: (x, y) => ({ verb: go, args: [cm(x), cm(y)] }),
    help: [
      { by: "WASD or arrows", does: "walk" },
      { by: "click or tap", does: "go there", touch: true },
      { by: "press and drag", does: "walk that way", touch: true },
      { by: "Enter", does: "shout" },
    ],
  };
}

// manhattan: each move is one stride in one of four directions.
function manhattan(w: World): InputMap {
  const verb = verbOf(w, "move");
  const direction = (dx: number, dy: number) => (Math.abs(dx) >= Math.abs(dy) ? (dx > 0 ? 1 : 3) : dy > 0 ? 2 : 4);
  return {
    steer: (dx, dy) => (dx === 0 && dy === 0 ? undefined : { verb, args: [direction(dx, dy)] }),
    again: 300,
    help: [{ by: "WASD or arrows", does: "walk" }, { by: "press and drag", does: "walk that way", touch: true }],
  };
}

// combat: steer as long as you like, fire where you point.
function combat(w: World): InputMap {
  const verb = verbOf(w, "steer"), fire = verbOf(w, "fire");
  const limit = w.verbs[verb].args[0].max, far = w.verbs[fire].args[0].max;
  return {
    steer: (dx, dy) => ({ verb, args: disc(dx, dy, limit) }),
    point: (x, y) => ({ verb: fire, args: [clamp(x, 0, far), clamp(y, 0, far)] }),
    help: [
      { by: "WASD or arrows", does: "drive or fly" },
      { by: "click or tap", does: "fire there", touch: true },
      { by: "press and drag", does: "go that way", touch: true },
      { by: "three hits", does: "and you start again somewhere else", touch: true },
    ],
  };
}

// shooters: three who stand; who is hit falls.
function shooters(w: World): InputMap {
  const shoot = verbOf(w, "shoot"), rise = verbOf(w, "rise");
  return {
    point: (_x, _y, somebody) => (somebody === undefined ? undefined : { verb: shoot, target: somebody, args: [] }),
    buttons: [{ name: "rise", act: { verb: rise, args: [] } }],
    help: [
      { by: "click or tap an archer", does: "shoot, if no wall is between you", touch: true },
      { by: "Space", does: "rise again when you are hit" },
      { by: "the button below", does: "rise again when you are hit", touch: "only" },
    ],
  };
}

// philosophers: whoever has both forks eats.
function philosophers(w: World): InputMap {
  return {
    buttons: ["grab", "release"].map((name, i) => ({ name: ["take both forks", "put them down"][i], act: { verb: verbOf(w, name), args: [] } })),
    help: [
      { by: "Space", does: "take both forks, if your neighbours have neither, and eat" },
      { by: "2", does: "put them down, so that others can" },
      { by: "the buttons below", does: "take the forks on your two sides, or put them down", touch: "only" },
    ],
  };
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
