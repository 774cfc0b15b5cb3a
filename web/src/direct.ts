// Connections to other players without a detour by the server: data channels that neither keep an order nor repeat what is lost. When to
// open which is the client's business (live/direct); this is its hands.

// The orders and the news of web/internal/play.
export enum Order { Open, Answer, Send, Close }
export enum News { Described, Opened, Message, Closed, Full, Free }

const BACKLOG = 64 << 10; // bytes that may wait to be sent: what is late is of no use
const GATHERING = 1500; // ms after which the own addresses that are known by then must do
const NOTHING = new Uint8Array();
const decoder = new TextDecoder();

interface Link {
  peer: RTCPeerConnection;
  channel: RTCDataChannel;
}

export class Direct {
  private readonly links = new Map<number, Link>();

  constructor(private readonly servers: RTCIceServer[], private readonly tell: (conn: number, news: News, body: Uint8Array | string) => void) {}

  obey(order: Order, conn: number, body: Uint8Array) {
    const link = this.links.get(conn);
    switch (order) {
      case Order.Open:
        this.open(conn, decoder.decode(body)).catch(() => this.end(conn));
        break;
      case Order.Answer:
        link?.peer.setRemoteDescription({ type: "answer", sdp: decoder.decode(body) }).catch(() => this.end(conn));
        break;
      case Order.Send:
        if (link) this.send(conn, link, body);
        break;
      case Order.Close:
        this.drop(conn);
    }
  }

  private async open(conn: number, offer: string) {
    const peer = new RTCPeerConnection({ iceServers: this.servers });
    const channel = peer.createDataChannel("throng", { negotiated: true, id: 0, ordered: false, maxRetransmits: 0 });
    this.links.set(conn, { peer, channel });
    channel.binaryType = "arraybuffer";
    channel.bufferedAmountLowThreshold = BACKLOG / 2;
    const tell = (news: News, body: Uint8Array | string = NOTHING) => this.links.has(conn) && this.tell(conn, news, body);
    channel.onopen = () => tell(News.Opened);
    channel.onclose = () => this.end(conn);
    channel.onbufferedamountlow = () => tell(News.Free);
    channel.onmessage = (e) => e.data instanceof ArrayBuffer && tell(News.Message, new Uint8Array(e.data));
    peer.onconnectionstatechange = () => peer.connectionState === "failed" && this.end(conn);
    if (offer) await peer.setRemoteDescription({ type: "offer", sdp: offer });
    await peer.setLocalDescription();
    await gathered(peer);
    if (peer.localDescription) tell(News.Described, peer.localDescription.sdp);
  }

  private send(conn: number, { channel }: Link, body: Uint8Array) {
    if (channel.readyState !== "open") return this.end(conn);
    channel.send(body as Uint8Array<ArrayBuffer>);
    if (channel.bufferedAmount > BACKLOG) this.tell(conn, News.Full, NOTHING);
  }

  // end says that a connection is over.
  private end(conn: number) {
    if (this.drop(conn)) this.tell(conn, News.Closed, NOTHING);
  }

  private drop(conn: number): boolean {
    this.links.get(conn)?.peer.close();
    return this.links.delete(conn);
  }

  close() {
    for (const conn of [...this.links.keys()]) this.drop(conn);
  }
}

// gathered waits until all own addresses are known, or for as long as is worth while.
function gathered(peer: RTCPeerConnection): Promise<void> {
  return new Promise((done) => {
    const look = () => peer.iceGatheringState === "complete" && done();
    peer.onicegatheringstatechange = look;
    setTimeout(done, GATHERING);
    look();
  });
}
