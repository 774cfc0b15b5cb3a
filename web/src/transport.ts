// Ways to the gateway: a WebSocket, which everybody has, or WebTransport, whose datagrams do not wait for one another.

export interface Transport {
  readonly name: "WebSocket" | "WebTransport";
  readonly datagramMax: number; // bytes in a data frame; 0 for as many as one likes
  send(frame: Uint8Array, lossy: boolean): void;
  close(): void;
}

export interface Listener {
  frame(bytes: Uint8Array): void; // one whole frame
  stream(bytes: Uint8Array): void; // a piece of a stream of frames
  closed(): void; // once, whoever closed it
}

const OPENING = 4000; // ms that opening a WebSocket may take,
const TRYING = 1000; // and a WebTransport session, which many networks let not through

export function openWebSocket(url: string, to: Listener): Promise<Transport> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url);
    socket.binaryType = "arraybuffer";
    const timer = setTimeout(() => socket.close(), OPENING);
    socket.onmessage = (e) => to.frame(new Uint8Array(e.data as ArrayBuffer));
    socket.onclose = () => {
      clearTimeout(timer);
      reject(new Error("the server cannot be reached"));
    };
    socket.onopen = () => {
      clearTimeout(timer);
      socket.onclose = () => to.closed();
      resolve({
        name: "WebSocket",
        datagramMax: 0,
        send: (frame) => {
          if (socket.readyState === WebSocket.OPEN) socket.send(frame as BufferSource);
        },
        close: () => socket.close(),
      });
    };
  });
}

// openWebTransport connects to a server whose certificate has the given SHA-256 in base64; none if browsers trust it anyway.
export async function openWebTransport(url: string, certificate: string | undefined, to: Listener): Promise<Transport> {
  const hashes = certificate ? [{ algorithm: "sha-256", value: Uint8Array.from(atob(certificate), (c) => c.charCodeAt(0)) }] : undefined;
  const session = new WebTransport(url, { serverCertificateHashes: hashes, congestionControl: "low-latency" });
  session.closed.catch(() => {}); // told below
  let timer = 0;
  const late = new Promise<never>((_, reject) => (timer = window.setTimeout(() => reject(new Error("no answer")), TRYING)));
  try {
    await Promise.race([session.ready, late]);
  } catch (e) {
    session.close();
    throw e;
  } finally {
    clearTimeout(timer);
  }
  const stream = await session.createBidirectionalStream();
  const control = stream.writable.getWriter();
  const datagrams = session.datagrams.writable.getWriter();
  let open = true;
  const end = () => {
    if (!open) return;
    open = false;
    session.close();
    to.closed();
  };
  read(stream.readable, (b) => to.stream(b)).finally(end); // the server ends the stream when it has said goodbye
  read(session.datagrams.readable, (b) => to.frame(b)).catch(() => {});
  session.closed.finally(end).catch(() => {});
  return {
    name: "WebTransport",
    datagramMax: Math.min(session.datagrams.maxDatagramSize || 1150, 1150),
    send: (frame, lossy) => {
      if (open) (lossy ? datagrams.write(frame) : control.write(behindLength(frame))).catch(() => {});
    },
    close: end,
  };
}

async function read(from: ReadableStream<Uint8Array>, take: (b: Uint8Array) => void): Promise<void> {
  const reader = from.getReader();
  for (;;) {
    const { value, done } = await reader.read().catch(() => ({ value: undefined, done: true }));
    if (done) return;
    if (value) take(value);
  }
}

// behindLength puts the length before a frame, in groups of seven bits, the lowest first.
function behindLength(frame: Uint8Array): Uint8Array {
  const head: number[] = [];
  let n = frame.length;
  for (; n >= 128; n >>= 7) head.push((n & 127) | 128);
  head.push(n);
  const out = new Uint8Array(head.length + frame.length);
  out.set(head);
  out.set(frame, head.length);
  return out;
}
