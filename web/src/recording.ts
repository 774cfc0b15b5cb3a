// A recording: the Go program, as web/browser shows it.

import { Module, type Progress } from "./module";
import { Records } from "./records";
import type { World } from "./schema";

interface Exports {
  replay_open(n: number): number;
  replay_reason(): number;
  replay_describe(): number;
  replay_choose(n: number): void;
  replay_show(at: number): number;
  replay_list(track: number): number;
  replay_said(track: number, id: bigint): number;
  replay_curves(): number;
  replay_density(parts: number): number;
  replay_noted(from: number, to: number, most: number): number;
}

export interface Track {
  node: number;
  role: string;
  user: number;
}

export interface Happening {
  at: number; // ms
  kind: string;
  node: number; // 0 for the network or a link
  user: number;
  cause: number; // an index into causes
}

export interface About {
  mechanism: string;
  network: string;
  seed: string;
  frames: number;
  span: number; // ms from frame to frame
  warmup: number; // ms
  damage?: string;
  start: number; // ms, the world's time at the first frame
  began: string; // of a live world: when that was
  params: string[];
  tracks: Track[];
  curves: { name: string; unit: string }[];
  events: Happening[];
  causes: string[];
  world: World;
}

// What was noted in a part of the time.
export interface Density {
  sent: number;
  lost: number;
  late: number;
  rollbacks: number;
  events: number;
}

export interface Datagram {
  at: number; // ms
  got?: number;
  lost: boolean;
  from: number;
  to: number;
  class: string;
  size: number;
  text: string;
}

export interface Noted {
  sent: number; // datagrams in all
  until: number; // ms; nothing was noted of what came later
  datagrams: Datagram[];
  events: { at: number; node: number; user: number; value: number; text: string }[];
}

export class Recording {
  private readonly go: Exports;
  private readonly records = new Records();

  constructor(private readonly module: Module<Exports>) {
    this.go = module.go;
  }

  static async load(waiting: (p: Progress) => void, ended: (e: unknown) => void): Promise<Recording> {
    return new Recording(await Module.load<Exports>(waiting, ended));
  }

  // open reads a recording and says what it is. It throws what is wrong with it.
  open(bytes: Uint8Array): About {
    this.check(this.go.replay_open(this.module.put(bytes)));
    this.go.replay_describe();
    return JSON.parse(this.module.text());
  }

  private check(ok: number) {
    if (ok) return;
    this.go.replay_reason();
    throw new Error(this.module.text());
  }

  choose(tracks: number[]) {
    this.go.replay_choose(this.module.put(new Uint8Array(Uint16Array.from(tracks).buffer)));
  }

  show(ms: number) {
    this.check(this.go.replay_show(ms));
  }

  list(track: number): Records {
    const n = this.go.replay_list(track);
    return this.records.bind(this.module.buffer, this.module.result().at, n);
  }

  said(track: number, id: bigint): string {
    this.go.replay_said(track, id);
    return this.module.text();
  }

  // density counts what was noted in so many equal parts of the recording.
  density(parts: number): Density[] {
    const n = this.go.replay_density(parts), values = new Float64Array(this.module.buffer, this.module.result().at, n), width = n / parts;
    return Array.from({ length: parts }, (_, i) => {
      const [sent, lost, late, rollbacks, events] = values.subarray(i * width, (i + 1) * width);
      return { sent, lost, late, rollbacks, events };
    });
  }

  // noted is what was noted in a span of time, so many things of each kind at most.
  noted(from: number, to: number, most: number): Noted {
    this.go.replay_noted(from, to, most);
    return JSON.parse(this.module.text());
  }

  // curves are the values of each curve, frame by frame; null where there is none.
  curves(count: number): (number | null)[][] {
    const n = this.go.replay_curves();
    const values = new Float64Array(this.module.buffer, this.module.result().at, n);
    const list: (number | null)[][] = Array.from({ length: count }, () => []);
    for (let i = 0; i < n; i++) list[i % count].push(Number.isNaN(values[i]) ? null : values[i]);
    return list;
  }
}
