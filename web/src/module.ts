// A Go program in WebAssembly, and how bytes pass between it and the page (see web/internal/memory).

declare const Go: new () => {
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
};

// Where the program is, and the script that comes with the Go distribution and defines Go.
const PROGRAM = "/client.wasm";
const SCRIPT = "/wasm_exec.js";

const ASK = 400; // ms until the server is asked again for a program that it is compiling

// Progress is what a server says that has no program yet.
export interface Progress {
  compiling?: string; // a package
  packages?: number; // how many there were
  failed?: string; // there will be no program, for this reason
}

// Unavailable says why there is no program.
export class Unavailable extends Error {}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Module<Exports extends object> {
  private readonly memory: WebAssembly.Memory;
  private readonly room: (n: number) => number;
  private readonly out: number; // where address and size of a result are written

  private constructor(readonly go: Exports) {
    const base = go as Exports & { mem: WebAssembly.Memory; room(n: number): number; result(): number };
    this.memory = base.mem;
    this.room = base.room;
    this.out = base.result();
  }

  // load fetches and starts the program. ended is called if it ends, which only a mistake in it can bring about.
  static async load<E extends object>(waiting: (p: Progress) => void, ended: (e: unknown) => void): Promise<Module<E>> {
    const reply = await obtain(waiting);
    const [module] = await Promise.all([WebAssembly.compileStreaming(reply), import(SCRIPT)]);
    const go = new Go(), instance = await WebAssembly.instantiate(module, go.importObject);
    go.run(instance).then(() => ended(new Error("the program has ended")), ended);
    return new Module<E>(instance.exports as E);
  }

  // put hands bytes or a text to the program and returns how many bytes they are.
  put(data: Uint8Array | string): number {
    if (typeof data === "string") data = encoder.encode(data);
    const at = this.room(data.length) >>> 0; // may move the memory
    new Uint8Array(this.memory.buffer, at, data.length).set(data);
    return data.length;
  }

  get buffer(): ArrayBuffer {
    return this.memory.buffer as ArrayBuffer;
  }

  // result is where the last result lies, and how long it is. It holds until the next call.
  result(): { at: number; size: number } {
    const [at, size] = new Uint32Array(this.memory.buffer, this.out, 2);
    return { at, size };
  }

  bytes(): Uint8Array {
    const { at, size } = this.result();
    return new Uint8Array(this.memory.buffer, at, size);
  }

  text(): string {
    return decoder.decode(this.bytes());
  }
}

// obtain fetches the program, however often the server says that it is still being compiled.
async function obtain(waiting: (p: Progress) => void): Promise<Response> {
  for (;;) {
    const reply = await fetch(PROGRAM);
    if (reply.ok) return reply;
    const progress: Progress = await reply.json().catch(() => ({}));
    if (reply.status !== 503) throw new Unavailable(progress.failed ?? `the server answers ${reply.status}`);
    waiting(progress);
    await new Promise((done) => setTimeout(done, ASK));
  }
}

// progressText says how far the server is.
export function progressText({ compiling, packages }: Progress): string {
  return compiling ? `Compiling the page: ${compiling} (${packages})` : "Compiling the page \u2026";
}
