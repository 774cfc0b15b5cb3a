// A Go program in WebAssembly, and how bytes pass between it and the page (see web/internal/memory).

import "wasm_exec"; // comes with the Go distribution and defines Go

declare const Go: new () => {
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
};

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

  // load fetches and starts a program. ended is called if it ends, which only a mistake in it can bring about.
  static async load<E extends object>(url: string, ended: (e: unknown) => void): Promise<Module<E>> {
    const go = new Go();
    const { instance } = await WebAssembly.instantiateStreaming(fetch(url), go.importObject);
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
