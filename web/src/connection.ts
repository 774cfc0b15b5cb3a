// The connection of a player: joining, speaking to the server, losing it and coming back.

import { Phase, type Client } from "./client";
import { Direct } from "./direct";
import { openWebSocket, openWebTransport, type Transport } from "./transport";

export type State =
  | { is: "joining" } // asking for a seat, or connecting
  | { is: "in" }
  | { is: "lost"; since: number } // trying to come back
  | { is: "ended"; reason: string; again: boolean }; // not without the user

interface Seat {
  token: string;
  websocket: string;
  webtransport?: { url: string; certificate?: string };
  gateways?: string[]; // where the token is good, if there are several
  direct?: { servers?: RTCIceServer[] }; // players may connect to each other
}

const SEAT = "throng.seat"; // in the session's storage: a page that is loaded again is the same user
const RETRIES = [250, 500, 1000, 2000, 4000]; // ms
const MOVED = "this server hands over to another; go on there"; // what a gateway says that leaves the world to others
const SWITCHED = "the world begins again under another mechanism"; // what gateway.Switched says
const LOOK = 5000; // ms between questions which gateways there are
const SILENCE = 8000; // ms without a word from the server, which answers pings every second, after which it is gone

export class Connection {
  state: State = { is: "joining" };
  transport?: Transport;

  private direct?: Direct;
  private seat?: Seat;
  private hasNode = false;
  private welcomed = false; // on this connection
  private attempts = 0;
  private timer = 0;
  private heard = 0;
  private elsewhere = 0; // gateways tried in vain since the connection was lost
  private generation = 0; // counts connections, so that news of an earlier one is told apart

  constructor(
    private readonly client: Client,
    private readonly base: string, // where the world is, below the page's address
    private readonly changed: (s: State) => void,
    private readonly entered: () => void, // a new node has been built
  ) {
    this.seat = load(base);
    addEventListener("pagehide", () => [this.transport, this.direct].forEach((t) => t?.close())); // else a datagram transport's end is noticed by its silence only
    addEventListener("online", () => this.state.is === "lost" && this.retryNow());
    setInterval(() => {
      const silence = this.several ? SILENCE / 4 : SILENCE; // who can go elsewhere does so sooner
      if (this.transport && performance.now() - this.heard > silence) this.transport.close();
    }, 1000);
    setInterval(() => this.lookAround(), LOOK);
  }

  // meets reports whether other players may be connected to directly.
  get meets() { return this.direct !== undefined; }

  private get several() { return (this.seat?.gateways?.length ?? 0) > 1; }

  // lookAround asks which gateways there are by now.
  private async lookAround() {
    const seat = this.seat;
    if (!seat || !this.several || !this.transport) return;
    try {
      const info = await (await fetch(httpOf(seat.websocket) + "/api/info")).json();
      if (this.seat === seat && info.gateways?.length) {
        seat.gateways = info.gateways;
        save(this.base, seat);
      }
    } catch {
      // It is asked again.
    }
  }

  // turn has the next gateway be tried.
  private turn() {
    const list = this.seat?.gateways ?? [];
    const at = list.indexOf(httpOf(this.seat!.websocket));
    this.seat!.websocket = list[(at + 1) % list.length].replace(/^http/, "ws") + "/ws";
    this.seat!.webtransport = undefined; // its certificate is not known
  }

  private become(s: State) {
    this.state = s;
    this.changed(s);
  }

  // start joins, or resumes where an earlier page of this window was.
  async start() {
    const generation = ++this.generation;
    try {
      this.seat ??= await join(this.base);
      if (generation !== this.generation) return;
      save(this.base, this.seat);
      await this.open(this.seat, generation);
    } catch (e) {
      if (generation !== this.generation) return;
      if (e instanceof Refused) this.become({ is: "ended", reason: e.message, again: true });
      else this.lose();
    }
  }

  // again begins anew as somebody else.
  again() {
    this.seat = undefined;
    this.hasNode = false;
    this.attempts = 0;
    save(this.base, undefined);
    this.become({ is: "joining" });
    this.start();
  }

  // restart leaves and comes back as somebody else.
  restart() {
    this.client.bye();
    this.drain();
    this.drop();
    this.again();
  }

  leave() {
    this.client.bye();
    this.drain();
    save(this.base, undefined);
    this.seat = undefined;
    this.finish("You have left.", true);
  }

  private async open(seat: Seat, generation: number) {
    const listener = {
      frame: (b: Uint8Array) => this.hear(generation, () => this.client.receive(b)),
      stream: (b: Uint8Array) => this.hear(generation, () => this.client.stream(b)),
      closed: () => generation === this.generation && this.lose(),
    };
    this.heard = performance.now();
    const transport = await connect(seat, listener);
    if (generation !== this.generation) return transport.close();
    this.transport = transport;
    this.welcomed = false;
    this.meet(seat);
    this.client.hello(seat.token, !this.hasNode, transport.datagramMax);
    this.pump();
  }

  // meet lets the client connect to other players directly, if the server and the browser do.
  private meet(seat: Seat) {
    if (this.hasNode) return; // it goes on with the connections that it has
    this.direct?.close();
    this.direct = seat.direct && "RTCPeerConnection" in window ? new Direct(seat.direct.servers ?? [], (conn, news, body) => {
      this.client.hear(conn, news, body);
      this.pump();
    }) : undefined;
    this.client.meet(!!this.direct, ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname));
  }

  private hear(generation: number, take: () => void) {
    if (generation !== this.generation) return;
    this.heard = performance.now();
    take();
    this.pump();
  }

  // pump lets the client do what is due, sends what it has to say and looks how it is.
  pump() {
    const wait = this.client.advance();
    this.drain();
    this.look();
    clearTimeout(this.timer);
    if (this.state.is !== "ended" && Number.isFinite(wait)) this.timer = window.setTimeout(() => this.pump(), Math.max(0, wait));
  }

  drain() {
    this.client.drain((frame, lossy) => this.transport?.send(frame, lossy));
    this.client.obey((order, conn, body) => this.direct?.obey(order, conn, body));
  }

  private look() {
    switch (this.client.phase) {
      case Phase.Timing:
      case Phase.Joining:
      case Phase.Playing:
        if (this.transport && !this.welcomed) {
          this.welcomed = true;
          this.attempts = this.elsewhere = 0;
          if (!this.hasNode || this.client.phase === Phase.Timing) this.entered();
          this.hasNode = true;
        }
        if (this.transport && this.client.phase === Phase.Playing && this.state.is !== "in") this.become({ is: "in" });
        return;
      case Phase.Ended:
        if (this.transport) this.dismissed();
        return;
      case Phase.Broken:
        this.finish(this.client.reason, true);
        return;
      case Phase.Stale: // the machine slept: take the same seat with a new node
        this.drop();
        this.hasNode = false;
        this.become({ is: "joining" });
        this.start();
    }
  }

  // dismissed is told goodbye. A token that is no longer good is what happens to those who stay away for long.
  private dismissed() {
    if (this.several && this.client.reason === MOVED) {
      this.lose();
      return;
    }
    const switched = this.client.reason === SWITCHED;
    if (switched || !this.welcomed && this.attempts < RETRIES.length) {
      this.drop();
      this.seat = undefined;
      this.hasNode = false;
      this.attempts++;
      save(this.base, undefined);
      if (switched) this.become({ is: "joining" });
      this.start();
      return;
    }
    this.finish(this.client.reason, true);
  }

  private finish(reason: string, again: boolean) {
    this.drop();
    this.direct?.close();
    clearTimeout(this.timer);
    this.become({ is: "ended", reason, again });
  }

  private drop() {
    this.generation++;
    this.transport?.close();
    this.transport = undefined;
    this.client.lost();
  }

  // lose is what happens when the connection is gone without a word. The node goes on; its datagrams get lost.
  private lose() {
    this.drop();
    if (this.state.is === "ended") return;
    if (this.state.is !== "lost") this.become({ is: "lost", since: performance.now() });
    if (this.several && this.elsewhere < this.seat!.gateways!.length) {
      this.elsewhere++;
      this.turn();
      this.start(); // at once
      return;
    }
    this.elsewhere = 0;
    window.setTimeout(() => this.state.is === "lost" && !this.transport && this.start(), RETRIES[Math.min(this.attempts++, RETRIES.length - 1)]);
  }

  private retryNow() {
    this.attempts = 0;
    this.start();
  }
}

class Refused extends Error {}

// join asks for a seat, as whoever the site that led here says (#account=TOKEN, which no server and no log on the way sees).
async function join(base: string): Promise<Seat> {
  const said = new URLSearchParams(location.hash.slice(1));
  const who = { name: said.get("name") ?? "", account: said.get("account") ?? "" };
  const reply = await fetch(`${base}/api/join`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(who) });
  const body = await reply.json().catch(() => ({}));
  if (!reply.ok) throw new Refused(body.error ?? `the server refuses to let anybody in (${reply.status})`);
  return body;
}

async function connect(seat: Seat, to: Parameters<typeof openWebSocket>[1]): Promise<Transport> {
  const wanted = new URLSearchParams(location.search).get("transport");
  if (seat.webtransport && "WebTransport" in window && wanted !== "websocket") {
    try {
      return await openWebTransport(seat.webtransport.url, seat.webtransport.certificate, to);
    } catch {
      seat.webtransport = undefined; // many networks let no UDP through; do not try again
    }
  }
  return openWebSocket(seat.websocket, to);
}

// httpOf is the address of the gateway whose WebSocket it is.
function httpOf(websocket: string): string {
  return websocket.replace(/^ws/, "http").replace(/\/ws$/, "");
}

function load(base: string): Seat | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(SEAT + base) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

function save(base: string, s: Seat | undefined) {
  try {
    if (s) sessionStorage.setItem(SEAT + base, JSON.stringify(s));
    else sessionStorage.removeItem(SEAT + base);
  } catch {
    // Where nothing may be kept, a page that is loaded again is somebody new.
  }
}
