// What a world is made of, as the Go programs describe it.

export interface Variable {
  name: string;
  attr?: number; // which attribute it is, if it is one
  type: "integer" | "fixed" | "angle" | "flag" | "reference" | "moment";
  min: number;
  max: number;
  unit: string;
  role?: "bar" | "facing" | "score" | "gone"; // what it is to whoever looks
}

export interface Kind {
  name: string;
  radius: number;
  about?: string; // what a person may want to know beyond its name
  variables: Variable[];
}

export interface Verb {
  name: string;
  args: Variable[];
}

// Look is how a world says that it looks and is played (world.Look).
export interface Look {
  avatar: string;
  around: number; // of the world, or 0 for all
  walls: number;
  kinds: KindLook[];
  controls: Control[];
  hints: { by: string; does: string }[];
}

export interface KindLook {
  kind: string;
  shape: "" | "disc" | "box" | "diamond" | "capsule" | "hidden";
  colour: string;
  width: number;
  height: number;
  label: string;
  trail: boolean;
}

export interface Control {
  by: "steer" | "compass" | "height" | "place" | "target" | "button";
  verb: string;
  does: string;
  scale: number;
  again: number; // ms
  label: string;
  key: string;
  args: number[];
}

export interface World {
  look?: Look;
  name: string;
  tick: number; // ms
  bounds: [number, number, number, number];
  kinds: Kind[];
  verbs: Verb[];
}

// roleOf returns the variable of a kind that has a role, if it is an attribute.
export function roleOf(k: Kind, role: Variable["role"]): (Variable & { attr: number }) | undefined {
  return k.variables.find((v): v is Variable & { attr: number } => v.role === role && v.attr !== undefined);
}

// attrOf returns which attribute of a kind has a name, or -1.
export function attrOf(w: World, kind: string, name: string): number {
  return w.kinds.find((k) => k.name === kind)?.variables.find((v) => v.name === name)?.attr ?? -1;
}

export function kindOf(w: World, name: string): number {
  return w.kinds.findIndex((k) => k.name === name);
}

export function verbOf(w: World, name: string): number {
  return w.verbs.findIndex((v) => v.name === name);
}

// placed says whether objects of a kind are anywhere.
export function placed(k: Kind): boolean {
  return k.variables.some((v) => v.name === "x");
}
