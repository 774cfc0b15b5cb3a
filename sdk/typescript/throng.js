// throng: take part in a world from a browser or from Node.js. The types are in throng.d.ts, the protocol in docs/protocol.md.
// This is JavaScript that needs no build step: <script type="module"> and `node` take it as it is.

import { decode, encode } from "./msgpack.js";

const VERSION = 2;
const SAMPLES = 4; // of an object, that are kept to interpolate between

/** Joins a world; the promise is kept when the user is in it, and broken with the server's reason if it is not let in. */
export function join(url, options = {}) {
  return new World(url, options).begin();
}

export class Refused extends Error {
  constructor(code, reason) {
    super(reason);
    this.code = code;
  }
}

export class World extends EventTarget {
  objects = new Map();
  user = 0;
  schema = null;

  #options;
  #url;
  #socket = null;
  #tables = new Map();
  #acts = new Map(); // by ID: who waits for what becomes of an action
  #lastAct = 0;
  #token = "";
  #lost = 0; // how often in a row the connection could not be opened
  #over = false;
  #joined; // of the promise that join returned
  #ahead = -Infinity; // how far the world's clock is ahead of ours
  #interval = 100; // between views, in milliseconds
  #viewed = 0; // the time of the last view

  constructor(url, options = {}) {
    super();
    this.#options = { format: "json", reconnect: true, ...options };
    const at = new URL(url);
    at.protocol = at.protocol.replace("http", "ws");
    at.pathname = at.pathname.replace(/\/?$/, "/thin");
    at.search = "?format=" + this.#options.format;
    this.#url = at.href;
  }

  begin() {
    return new Promise((resolve, reject) => {
      this.#joined = { resolve, reject };
      this.#connect();
    });
  }

  /** Objects of the own user. */
  mine() {
    return [...this.objects.values()].filter((o) => o.user === this.user);
  }

  /** Listens for an event: enter, change, leave (an object), view, said, ack, lost, back, goodbye (a message). */
  on(type, listener) {
    this.addEventListener(type, (event) => listener(event.detail));
    return this;
  }

  /** Does something. The promise is kept when it has taken effect, and broken if it is refused or given up. */
  act(verb, args = {}, target = undefined) {
    const id = ++this.#lastAct;
    return new Promise((resolve, reject) => {
      this.#acts.set(id, { resolve, reject });
      if (!this.#send({ type: "act", id, verb, args, target })) {
        this.#settle({ id, state: "dropped", reason: "the connection is lost" });
      }
    });
  }

  say(text) {
    this.#send({ type: "say", text });
  }

  /** Changes what is told: rate, fields, view. It holds for later connections too. */
  ask(wishes) {
    Object.assign(this.#options, wishes);
    this.#send({ type: "ask", ...wishes });
  }

  /** Leaves for good. */
  leave() {
    if (!this.#send({ type: "leave" })) this.#end({ code: "left", reason: "goodbye" });
    this.#options.reconnect = false;
  }

  /** The world's time in milliseconds, as far as it is known. */
  now() {
    return performance.now() + this.#ahead;
  }

  /** An object as it was a moment ago, between the views around that moment: what to draw. */
  smooth(object, delay = 1.5 * this.#interval) {
    const samples = object[SAMPLED];
    const time = this.now() - delay;
    let i = samples.length - 1;
    while (i > 0 && samples[i - 1].time >= time) i--;
    const to = samples[i];
    const from = samples[Math.max(i - 1, 0)];
    const part = to.time > from.time ? Math.min(Math.max((time - from.time) / (to.time - from.time), 0), 1) : 1;
    const shown = { ...object };
    for (const name in to.values) {
      let way = to.values[name] - from.values[name];
      if (this.#angles(object.kind).has(name)) way -= 2 * Math.PI * Math.round(way / (2 * Math.PI));
      shown[name] = from.values[name] + part * way;
    }
    return shown;
  }

  async #connect() {
    const Socket = this.#options.WebSocket ?? globalThis.WebSocket ?? (await import("./node.js")).WebSocket;
    if (this.#over) return;
    const socket = new Socket(this.#url);
    this.#socket = socket;
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      const { name, rate, fields, view } = this.#options;
      this.#send({ type: "join", version: VERSION, name, rate, fields, view, token: this.#token || undefined });
    };
    socket.onmessage = ({ data }) => this.#take(typeof data === "string" ? JSON.parse(data) : decode(new Uint8Array(data)));
    socket.onclose = () => this.#closed(socket);
    socket.onerror = () => {}; // it is closed next
  }

  #send(message) {
    if (this.#socket?.readyState !== 1) return false;
    for (const key in message) if (message[key] === undefined) delete message[key];
    this.#socket.send(this.#options.format === "msgpack" ? encode(message) : JSON.stringify(message));
    return true;
  }

  #tell(type, detail) {
    const event = new Event(type);
    event.detail = detail;
    this.dispatchEvent(event);
  }

  #take(message) {
    if (Array.isArray(message)) { // a view in MessagePack
      const [view, change, enter, leave, tables] = message;
      message = { view, change, enter, leave, tables };
    }
    if (message.view !== undefined) return this.#view(message);
    switch (message.type) {
      case "welcome": {
        const back = this.#token !== "";
        [this.user, this.schema, this.#token] = [message.user, message, message.token];
        this.#lost = 0;
        this.#tables.clear();
        this.#clear();
        if (back) this.#tell("back", message);
        break;
      }
      case "ready":
        this.#joined?.resolve(this);
        this.#joined = null;
        break;
      case "ack":
        this.#settle(message);
        this.#tell("ack", message);
        break;
      case "said":
      case "error":
        this.#tell(message.type, message);
        break;
      case "goodbye":
        if (message.code === "stranger" && this.#token) {
          this.#token = ""; // the seat was kept for too long a time: as somebody new, then
        } else {
          this.#end(message);
        }
    }
  }

  #settle({ id, state, reason }) {
    const waiting = this.#acts.get(id);
    if (!waiting) return;
    this.#acts.delete(id);
    if (state === "applied" || state === "final") waiting.resolve(state);
    else waiting.reject(new Refused(state, reason ?? state));
  }

  #view(message) {
    const time = message.view;
    const ahead = time - performance.now();
    this.#ahead = Math.max(ahead, this.#ahead - 0.01); // the fastest message counts; a clock that runs slower is followed
    if (time > this.#viewed) this.#interval += (Math.min(time - this.#viewed, 1000) - this.#interval) / 8;
    this.#viewed = time;
    for (const [number, kind, columns] of message.tables ?? []) this.#tables.set(number, { kind, columns });
    for (const id of message.leave ?? []) {
      const object = this.objects.get(id);
      this.objects.delete(id);
      if (object) this.#tell("leave", object);
    }
    for (const rows of message.enter ?? []) this.#rows(rows, "enter", time);
    for (const rows of message.change ?? []) this.#rows(rows, "change", time);
    this.#tell("view", message);
  }

  #rows(rows, type, time) {
    const { kind, columns } = this.#tables.get(rows[0]);
    for (let at = 1; at < rows.length; at += columns.length) {
      const object = type === "enter" ? { kind, [SAMPLED]: [] } : this.objects.get(rows[at]);
      for (let i = 0; i < columns.length; i++) object[columns[i]] = rows[at + i];
      this.objects.set(rows[at], object);
      this.#sample(object, time);
      this.#tell(type, object);
    }
  }

  // What moves after a rest has been where it was until a view ago.
  #sample(object, time) {
    const samples = object[SAMPLED];
    const last = samples[samples.length - 1];
    if (last && time - last.time > 2 * this.#interval) samples.push({ time: time - this.#interval, values: last.values });
    const values = {};
    for (const name of ["x", "y", "z", ...this.#angles(object.kind)]) if (typeof object[name] === "number") values[name] = object[name];
    samples.push({ time, values });
    while (samples.length > SAMPLES) samples.shift();
  }

  #angles(kind) {
    this.schema.angles ??= new Map(this.schema.kinds.map((k) => [k.name, new Set(k.fields.filter((f) => f.type === "angle").map((f) => f.name))]));
    return this.schema.angles.get(kind);
  }

  #clear() {
    for (const object of this.objects.values()) this.#tell("leave", object);
    this.objects.clear();
  }

  #closed(socket) {
    if (this.#over || socket !== this.#socket) return;
    for (const id of [...this.#acts.keys()]) this.#settle({ id, state: "dropped", reason: "the connection was lost" });
    if (this.#joined && !this.#token || !this.#options.reconnect || this.#lost >= 8) {
      return this.#end({ code: "lost", reason: "the connection was lost" });
    }
    this.#tell("lost", { tries: ++this.#lost });
    setTimeout(() => this.#connect(), Math.min(100 * 2 ** this.#lost, 4000));
  }

  #end(message) {
    if (this.#over) return;
    this.#over = true;
    this.#socket?.close();
    for (const id of [...this.#acts.keys()]) this.#settle({ id, state: "dropped", reason: message.reason });
    this.#joined?.reject(new Refused(message.code, message.reason));
    this.#joined = null;
    this.#tell("goodbye", message);
  }
}

const SAMPLED = Symbol("samples");
