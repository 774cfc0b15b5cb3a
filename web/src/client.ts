// The player's node: the Go program, as web/browser shows it.

import type { News, Order } from "./direct";
import type { Act } from "./inputs";
import { Module, type Progress } from "./module";
import { Records } from "./records";
import type { World } from "./schema";
import type { Zoned } from "./zones";

interface Exports {
  hello(now: number, token: number, fresh: number, datagramMax: number): void;
  receive(now: number, n: number): void;
  stream(now: number, n: number): number;
  lost(): void;
  bye(): void;
  advance(now: number): number;
  frames(): number;
  meet(may: number, local: number): void;
  orders(): number;
  hear(now: number, conn: number, news: number, n: number): void;
  phase(): number;
  reason(): number;
  notice(): number;
  describe(): number;
  view(now: number): number;
  ghosts(): number;
  reveal(n: number, owners: number): number;
  truths(now: number): number;
  backdrop(): number;
  areas(): number;
  clouds(): number;
  zones(): number;
  vanish(now: number, node: number): void;
  watch(now: number, x0: number, y0: number, x1: number, y1: number): void;
  scenery(x0: number, y0: number, x1: number, y1: number): number;
  said(id: bigint): number;
  counts(): number;
  act(now: number, verb: number, target: bigint, a: bigint, b: bigint, c: bigint, d: bigint, e: bigint, f: bigint): number;
  say(now: number, n: number): number;
  autopilot(on: number): void;
  raw(on: number): void;
  worsen(delay: number, jitter: number, n: number, loss: number): number;
}

// The phases of web/internal/play.
export enum Phase { Idle, Asking, Timing, Joining, Playing, Ended, Broken, Stale }

export interface Part {
  mechanism: string;
  user: number;
  node: number;
  epoch: number;
  users: number;
  ghosts: boolean;
  speech?: number; // the kind of what people say, where they can
  budget: number; // bytes per second, 0 for none
  sight?: number;
  speed?: number;
  score?: string;
  scenic: boolean;
  world: World;
}

// An area of the world, as web/internal/play lists it.
export interface Area {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
  server: number;
  role: number;
  bytes: number;
  work: number;
}

const AREA = 40; // bytes

// A crowd from afar, as web/internal/play lists it: how many there are in a box, and how one of them moves in a second.
export interface Cloud {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
  vx: number;
  vy: number;
  count: number;
  kind: number;
}

const CLOUD = 32; // bytes

// The counters of web/internal/play, in their order.
const COUNTERS = [
  "bytesIn", "bytesOut", "datagramsIn", "datagramsOut", "pings", "malformed",
  "acts", "applied", "dropped", "observed", "rollbacks", "redone", "late", "repeated", "lostOut", "lostIn",
  "direct", "relayed", "partners",
  "roundTrip", "clockOff", "response", "lag", "objects", "tick", "behind",
] as const;

export type Counts = Record<(typeof COUNTERS)[number], number>;

export interface Trouble {
  delay: number; // ms, one way
  jitter: number; // ms, mean
  shape: string;
  loss: number; // share
}

const ARGS = 6; // that an action can have

// exact is a number as Go programs take it. IDs have more digits than JavaScript's numbers.
function exact(v: number | bigint): bigint {
  return BigInt.asIntN(64, typeof v === "bigint" ? v : BigInt(Math.round(v)));
}

export class Client {
  private readonly go: Exports;
  private readonly seen = new Records();
  private readonly haunting = new Records();
  private readonly true = new Records();

  constructor(private readonly module: Module<Exports>) {
    this.go = module.go;
  }

  static async load(waiting: (p: Progress) => void, ended: (e: unknown) => void): Promise<Client> {
    return new Client(await Module.load<Exports>(waiting, ended));
  }

  hello(token: string, fresh: boolean, datagramMax: number) {
    this.go.hello(performance.now(), this.module.put(token), fresh ? 1 : 0, datagramMax);
  }

  receive(frame: Uint8Array) {
    this.go.receive(performance.now(), this.module.put(frame));
  }

  // stream takes bytes of a stream of frames; false means that it is broken.
  stream(bytes: Uint8Array): boolean {
    return this.go.stream(performance.now(), this.module.put(bytes)) !== 0;
  }

  lost() { this.go.lost(); }
  bye() { this.go.bye(); }

  // advance does what is due and returns in how many milliseconds it is to be called next.
  advance(): number {
    const now = performance.now();
    return this.go.advance(now) - now;
  }

  // drain hands out the frames that are to be sent. Those that are lossy may travel as datagrams.
  drain(send: (frame: Uint8Array, lossy: boolean) => void) {
    if (this.go.frames() === 0) return;
    const list = this.module.bytes().slice(); // send may call us
    const view = new DataView(list.buffer);
    for (let at = 0; at < list.length; ) {
      const size = view.getUint32(at, true);
      send(list.subarray(at + 5, at + 5 + size), list[at + 4] === 1);
      at += 5 + size;
    }
  }

  // meet says whether other players may be connected to directly from now on, and whether they may be on this machine.
  meet(may: boolean, local: boolean) { this.go.meet(may ? 1 : 0, local ? 1 : 0); }

  // obey has a client's orders about direct connections be carried out.
  obey(carryOut: (order: Order, conn: number, body: Uint8Array) => void) {
    if (this.go.orders() === 0) return;
    const list = this.module.bytes().slice(), view = new DataView(list.buffer);
    for (let at = 0; at < list.length; ) {
      const size = view.getUint32(at, true), body = list.subarray(at + 9, at + 9 + size);
      carryOut(list[at + 4], view.getUint32(at + 5, true), body);
      at += 9 + size;
    }
  }

  hear(conn: number, news: News, body: Uint8Array | string) {
    this.go.hear(performance.now(), conn, news, this.module.put(body));
  }

  get phase(): Phase { return this.go.phase(); }

  get reason(): string {
    this.go.reason();
    return this.module.text();
  }

  // notice is what operators have to say, once.
  notice(): string {
    this.go.notice();
    return this.module.text();
  }

  describe(): Part {
    this.go.describe();
    return JSON.parse(this.module.text());
  }

  view(): Records {
    const n = this.go.view(performance.now());
    return this.seen.bind(this.module.buffer, this.module.result().at, n);
  }

  ghosts(): Records {
    const n = this.go.ghosts();
    return this.haunting.bind(this.module.buffer, this.module.result().at, n);
  }

  // reveal takes what is really so, as the server encodes it; owners says that everybody decides about what is theirs.
  reveal(state: Uint8Array, owners: boolean): boolean {
    const ok = this.go.reveal(this.module.put(state), owners ? 1 : 0) !== 0;
    this.refresh();
    return ok;
  }

  // truths are what is really so now, as far as it was revealed.
  truths(): Records {
    const n = this.go.truths(performance.now());
    return this.true.bind(this.module.buffer, this.module.result().at, n);
  }

  // backdrop is what stands still, in memory of its own.
  backdrop(): Records {
    const n = this.go.backdrop(), { at, size } = this.module.result();
    return new Records().bind(this.module.buffer.slice(at, at + size), 0, n);
  }

  // areas are the parts of the world that are treated differently; none where the mechanism knows no parts.
  areas(): Area[] {
    const n = this.go.areas(), { at } = this.module.result(), view = new DataView(this.module.buffer);
    return Array.from({ length: n }, (_, i) => {
      const o = at + i * AREA, f = (k: number) => view.getFloat32(o + k, true);
      return {
        x0: f(0), y0: f(4), x1: f(8), y1: f(12), server: view.getUint32(o + 16, true), role: view.getUint32(o + 20, true),
        bytes: view.getFloat64(o + 24, true), work: view.getFloat64(o + 32, true),
      };
    });
  }

  // clouds are the crowds that the view does not show one by one.
  clouds(): Cloud[] {
    const n = this.go.clouds(), { at } = this.module.result(), view = new DataView(this.module.buffer);
    return Array.from({ length: n }, (_, i) => {
      const o = at + i * CLOUD, f = (k: number) => view.getFloat32(o + k, true);
      return { x0: f(0), y0: f(4), x1: f(8), y1: f(12), vx: f(16), vy: f(20), count: view.getUint32(o + 24, true), kind: view.getUint32(o + 28, true) };
    });
  }


  // zones are those of the world, and whom the user's node deals with in them; undefined where the mechanism has none.
  zones(): Zoned | undefined {
    this.go.zones();
    return JSON.parse(this.module.text()) ?? undefined;
  }

  // vanish has a node seem to be gone for a while.
  vanish(node: number) { this.go.vanish(performance.now(), node); }

  // watch says what is on the screen.
  watch(x0: number, y0: number, x1: number, y1: number) {
    this.go.watch(performance.now(), x0, y0, x1, y1);
  }

  // scenery is lines that never change, four numbers each: where they begin and where they end.
  scenery(x0: number, y0: number, x1: number, y1: number): Float32Array {
    const n = this.go.scenery(x0, y0, x1, y1), { at } = this.module.result();
    return new Float32Array(this.module.buffer.slice(at, at + n * 16));
  }

  // refresh keeps the lists of view and ghosts readable after other calls.
  refresh() {
    this.seen.refresh(this.module.buffer);
    this.haunting.refresh(this.module.buffer);
    this.true.refresh(this.module.buffer);
  }

  said(id: bigint): string {
    this.go.said(id);
    const text = this.module.text();
    this.refresh();
    return text;
  }

  counts(): Counts {
    const values = new BigInt64Array(this.module.buffer, this.go.counts() >>> 0, COUNTERS.length);
    return Object.fromEntries(COUNTERS.map((name, i) => [name, Number(values[i])])) as Counts;
  }

  act({ verb, target, args }: Act): boolean {
    const [a, b, c, d, e, f] = Array.from({ length: ARGS }, (_, i) => exact(args[i] ?? 0));
    return this.go.act(performance.now(), verb, exact(target ?? 0), a, b, c, d, e, f) !== 0;
  }

  say(text: string): boolean {
    return this.go.say(performance.now(), this.module.put(text)) !== 0;
  }

  autopilot(on: boolean) { this.go.autopilot(on ? 1 : 0); }
  raw(on: boolean) { this.go.raw(on ? 1 : 0); }

  worsen(t: Trouble) {
    this.go.worsen(t.delay, t.jitter, this.module.put(t.shape), t.loss);
  }
}
