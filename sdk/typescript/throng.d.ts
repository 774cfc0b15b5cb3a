/** Types of throng.js. `join<Walker | Shout>(…)` has objects of your world's kinds typed. */

export interface Options {
  name?: string;
  format?: "json" | "msgpack";
  /** Views a second. */
  rate?: number;
  /** Which fields of which kinds are told; all unless given. */
  fields?: Record<string, string[]> | "all";
  view?: "newest" | "smooth";
  /** Whether to come back as the same user when the connection is lost; true unless given. */
  reconnect?: boolean;
  /** Another implementation of WebSocket. */
  WebSocket?: new (url: string) => unknown;
}

export interface Field {
  name: string;
  type: "number" | "integer" | "angle" | "flag" | "reference" | "time";
  unit?: string;
  min?: number;
  max?: number;
}

export interface Schema {
  world: string;
  mechanism: string;
  user: number;
  tick: number;
  bounds: [number, number, number, number, number, number];
  speech: boolean;
  kinds: { name: string; radius: number; fields: Field[] }[];
  verbs: { name: string; args: Field[] }[];
}

export type ID = number | string;

export interface Thing {
  kind: string;
  id: ID;
  user: number;
  [field: string]: unknown;
}

export interface Events<T> {
  enter: T;
  change: T;
  leave: T;
  view: { view: number };
  said: { user: number; text: string };
  ack: { id: number; state: "applied" | "final" | "refused" | "dropped"; reason?: string };
  error: { reason: string };
  lost: { tries: number };
  back: Schema;
  goodbye: { code: string; reason: string };
}

export declare class World<T extends Thing = Thing> extends EventTarget {
  readonly objects: Map<ID, T>;
  readonly user: number;
  readonly schema: Schema;
  constructor(url: string, options?: Options);
  begin(): Promise<World<T>>;
  mine(): T[];
  on<K extends keyof Events<T>>(type: K, listener: (detail: Events<T>[K]) => void): this;
  act(verb: string, args?: Record<string, number | boolean | string>, target?: ID): Promise<"applied" | "final">;
  say(text: string): void;
  ask(wishes: Pick<Options, "rate" | "fields" | "view">): void;
  leave(): void;
  now(): number;
  smooth(object: T, delay?: number): T;
}

export declare class Refused extends Error {
  readonly code: string;
}

export declare function join<T extends Thing = Thing>(url: string, options?: Options): Promise<World<T>>;
