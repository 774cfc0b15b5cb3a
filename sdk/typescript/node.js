// A WebSocket for versions of Node.js that have none of their own (before 22): the part of the browsers' interface that throng.js uses.

import { createHash, randomBytes } from "node:crypto";
import http from "node:http";
import https from "node:https";

export class WebSocket {
  readyState = 0;
  #socket = null;
  #come = Buffer.alloc(0);
  #parts = [];
  #text = false;

  constructor(url) {
    const key = randomBytes(16).toString("base64");
    const request = (url.startsWith("wss") ? https : http).request(url.replace(/^ws/, "http"), {
      headers: { Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": 13, "Sec-WebSocket-Key": key },
    });
    const fail = () => this.#close();
    request.on("error", fail);
    request.on("response", fail); // anything but an upgrade
    request.on("upgrade", (response, socket, first) => {
      const accept = createHash("sha1").update(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest("base64");
      if (response.headers["sec-websocket-accept"] !== accept) return socket.destroy(), fail();
      this.#socket = socket;
      socket.setNoDelay(true);
      socket.on("data", (bytes) => this.#take(bytes));
      socket.on("close", fail);
      socket.on("error", fail);
      this.readyState = 1;
      this.onopen?.();
      this.#take(first);
    });
    request.end();
  }

  send(data) {
    if (typeof data === "string") this.#frame(1, Buffer.from(data));
    else this.#frame(2, Buffer.from(data));
  }

  close() {
    if (this.readyState === 1) this.#frame(8, Buffer.from([3, 232]));
    this.#socket?.end();
    this.readyState = 2;
  }

  #frame(op, payload) {
    const n = payload.length;
    const head = n < 126 ? Buffer.from([0x80 | op, 0x80 | n]) : Buffer.from([0x80 | op, 0x80 | 126, n >> 8, n & 255]);
    const mask = randomBytes(4);
    this.#socket.write(Buffer.concat([head, mask, payload.map((b, i) => b ^ mask[i & 3])]));
  }

  #take(bytes) {
    this.#come = Buffer.concat([this.#come, bytes]);
    for (;;) {
      const b = this.#come;
      if (b.length < 2) return;
      let [n, start] = [b[1] & 127, 2];
      if (n === 126) [n, start] = [b.length >= 4 ? b.readUInt16BE(2) : Infinity, 4];
      else if (n === 127) [n, start] = [b.length >= 10 ? Number(b.readBigUInt64BE(2)) : Infinity, 10];
      if (b.length < start + n) return;
      this.#come = b.subarray(start + n);
      this.#frameCame(b[0], b.subarray(start, start + n));
    }
  }

  #frameCame(first, payload) {
    const op = first & 15;
    if (op === 8) return this.close();
    if (op === 9) return this.#frame(10, payload);
    if (op === 10) return;
    if (op !== 0) this.#text = op === 1;
    this.#parts.push(payload);
    if (!(first & 0x80)) return;
    const whole = Buffer.concat(this.#parts);
    this.#parts = [];
    this.onmessage?.({ data: this.#text ? whole.toString() : new Uint8Array(whole).buffer });
  }

  #close() {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.onclose?.();
  }
}
