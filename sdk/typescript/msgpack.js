// MessagePack, as much of it as the protocol uses: https://msgpack.org has the format.

const utf8 = new TextEncoder();
const text = new TextDecoder();

export function decode(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const string = (n) => text.decode(bytes.subarray(at, (at += n)));
  const array = (n) => Array.from({ length: n }, value);
  const map = (n) => {
    const m = {};
    while (n-- > 0) m[value()] = value();
    return m;
  };
  const read = (method, size) => {
    const v = view[method](at);
    at += size;
    return typeof v === "bigint" ? Number(v) : v;
  };
  function value() {
    const head = bytes[at++];
    if (head < 0x80) return head;
    if (head < 0x90) return map(head & 15);
    if (head < 0xa0) return array(head & 15);
    if (head < 0xc0) return string(head & 31);
    if (head >= 0xe0) return head - 256;
    switch (head) {
      case 0xc0: return null;
      case 0xc2: return false;
      case 0xc3: return true;
      case 0xca: return read("getFloat32", 4);
      case 0xcb: return read("getFloat64", 8);
      case 0xcc: return read("getUint8", 1);
      case 0xcd: return read("getUint16", 2);
      case 0xce: return read("getUint32", 4);
      case 0xcf: return read("getBigUint64", 8);
      case 0xd0: return read("getInt8", 1);
      case 0xd1: return read("getInt16", 2);
      case 0xd2: return read("getInt32", 4);
      case 0xd3: return read("getBigInt64", 8);
      case 0xd9: return string(read("getUint8", 1));
      case 0xda: return string(read("getUint16", 2));
      case 0xdb: return string(read("getUint32", 4));
      case 0xdc: return array(read("getUint16", 2));
      case 0xdd: return array(read("getUint32", 4));
      case 0xde: return map(read("getUint16", 2));
      case 0xdf: return map(read("getUint32", 4));
    }
    throw new Error("MessagePack: byte " + head);
  }
  return value();
}

export function encode(value) {
  const out = [];
  const big = (head, set, size, v) => {
    const b = new DataView(new ArrayBuffer(size));
    b[set](0, v);
    out.push(head, ...new Uint8Array(b.buffer));
  };
  const head = (n, small, limit, wide) => (n < limit ? out.push(small | n) : big(wide, "setUint16", 2, n));
  (function put(v) {
    if (v === null || v === undefined) out.push(0xc0);
    else if (typeof v === "boolean") out.push(v ? 0xc3 : 0xc2);
    else if (typeof v === "number" && Number.isInteger(v) && v >= 0 && v < 128) out.push(v);
    else if (typeof v === "number" && v === (v | 0)) big(0xd2, "setInt32", 4, v);
    else if (typeof v === "number" && Number.isSafeInteger(v)) big(0xd3, "setBigInt64", 8, BigInt(v));
    else if (typeof v === "number") big(0xcb, "setFloat64", 8, v);
    else if (typeof v === "string") {
      const b = utf8.encode(v);
      head(b.length, 0xa0, 32, 0xda);
      out.push(...b);
    } else if (Array.isArray(v)) {
      head(v.length, 0x90, 16, 0xdc);
      v.forEach(put);
    } else {
      const entries = Object.entries(v);
      head(entries.length, 0x80, 16, 0xde);
      for (const [k, x] of entries) put(k), put(x);
    }
  })(value);
  return new Uint8Array(out);
}
