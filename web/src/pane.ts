// A pane: a world as one client sees it, with the client's connection and its picture. There is one, or two side by side.

import { Camera } from "./camera";
import type { Client, Cloud, Part } from "./client";
import { paintClouds } from "./clouds";
import { Connection, type State } from "./connection";
import { Labels } from "./labels";
import { fade, Marks } from "./marks";
import { newPainter, type Painter, type Picture } from "./paint/painter";
import { Records } from "./records";
import { newSurface } from "./surface";
import type { Theme } from "./theme";
import { Zones } from "./zones";

const NOTHING = new Records();
const GHOSTS = 0.55; // how opaque they are
const SAID = 64; // texts that are shown at most
const NAMED = 80; // objects that are named at most

// Wishes are what the user wants to see.
export interface Wishes {
  ghosts: boolean;
  names: boolean;
  truth: boolean; // only in the first of two
  tree: boolean; // zones, and who feeds whom in them
}

export interface Place {
  x: number;
  y: number;
}

export class Pane {
  readonly camera = new Camera();
  readonly marks = new Marks();
  readonly labels: Labels;
  readonly connection: Connection;
  part?: Part;
  painter?: Painter;
  records = NOTHING;
  ghosts = NOTHING;
  truths: Records = NOTHING;
  clouds: Cloud[] = [];
  body?: Place; // the user's own
  scenery?: Float32Array;
  zones?: Zones; // where the mechanism has some

  private readonly surface;
  private seen = false; // something of this world was shown
  private backdrop = NOTHING;
  private readonly said = new Map<bigint, string>(); // what is being said, by what holds it

  // base is where the world is to be found, below the page's address: empty for the one that the page is for.
  constructor(
    readonly canvas: HTMLCanvasElement, private readonly texts: HTMLCanvasElement, readonly client: Client, private readonly theme: Theme, base: string,
    changed: (s: State) => void, private readonly entered: () => void, private readonly hear?: (user: number, text: string) => void,
  ) {
    this.surface = newSurface(canvas, new URLSearchParams(location.search).has("plain"));
    this.labels = new Labels(texts, this.camera, theme);
    this.connection = new Connection(client, base, changed, () => this.enter());
  }

  // enter is called when the client has a new node.
  private enter() {
    const part = this.client.describe();
    this.part = part;
    this.painter = newPainter(part.world);
    this.camera.show(part.world.bounds, this.painter.radius);
    this.backdrop = this.client.backdrop();
    this.zones = undefined; // a node that has not begun knows of none
    this.said.clear();
    this.seen = false;
    this.entered();
  }

  // learn takes what the client knows now. It returns false if the last picture is to stay.
  learn(wishes: Wishes): boolean {
    const resized = this.camera.resize([this.canvas, this.texts]);
    if (this.connection.state.is === "ended" && !resized) return false;
    this.ghosts = wishes.ghosts ? this.client.ghosts() : NOTHING;
    this.truths = wishes.truth ? this.client.truths() : NOTHING;
    this.clouds = this.client.clouds();
    this.records = this.client.view();
    this.client.refresh(); // which keeps the lists before readable
    this.connection.drain();
    const { painter, records } = this, me = painter ? records.findOwn((k) => painter.embodies(k)) : -1;
    this.body = me < 0 ? undefined : { x: records.x(me), y: records.y(me) };
    return true;
  }

  // watch says what is on the screen, and learns the scenery around that, so that a little of moving shows nothing new.
  watch() {
    const [x, y] = this.camera.toWorld(0, 0), { width, height } = this.camera.size();
    this.client.watch(x, y, x + width, y + height);
    if (!this.zones && this.client.zones()) this.zones = new Zones(this.client);
    if (this.part?.scenic) this.scenery = this.client.scenery(x - width / 2, y - height / 2, x + 1.5 * width, y + 1.5 * height);
    this.client.refresh();
  }

  // paint draws a frame around a place; over is drawn above everything.
  paint(at: Place | undefined, wishes: Wishes, passed: number, seconds: number, over?: () => void) {
    const { painter, records, camera, marks, labels, theme } = this;
    marks.clear();
    labels.begin();
    if (painter && (records.length > 0 || this.seen)) {
      this.seen = true;
      camera.follow(at?.x, at?.y, passed);
      const picture: Picture = { marks, labels, camera, theme, seconds, scenery: this.scenery, human: (user) => user > this.part!.users, speech: (id) => this.said.get(id) ?? "" };
      painter.ground(picture, records, this.backdrop);
      if (painter.radius && this.part?.sight && this.body && at === this.body) {
        marks.disc(this.body.x, this.body.y, this.part.sight, { edge: theme.colour("sight"), width: 1.5 });
      }
      if (wishes.tree) this.zones?.ground(picture);
      const colour = fade(theme.colour("ink"), GHOSTS);
      for (let i = 0; i < this.ghosts.length; i++) painter.outline(picture, this.ghosts, i, colour, 0);
      const real = theme.colour("bad");
      for (let i = 0; i < this.truths.length; i++) if (camera.sees(this.truths.x(i), this.truths.y(i), 2)) painter.outline(picture, this.truths, i, real, 2);
      paintClouds(picture, this.clouds);
      this.listen();
      if (wishes.tree) this.zones?.ties(picture, this.body, (user) => this.bodyOf(user));
      painter.bodies(picture, records);
      if (wishes.names) this.paintNames(painter);
      over?.();
    }
    labels.end();
    this.surface.draw(marks, camera, theme.colour("outside"));
  }

  private paintNames(painter: Painter) {
    const { records, camera } = this;
    let named = 0;
    for (let i = 0; i < records.length && named < NAMED; i++) {
      if (!painter.embodies(records.kind(i)) || !camera.sees(records.x(i), records.y(i), 0)) continue;
      this.labels.name(painter.nameOf(records, i), records.x(i), records.y(i), 0.9 * camera.scale + 4, records.own(i));
      named++;
    }
  }

  // listen learns what is being said.
  private listen() {
    const { records, part, said } = this;
    if (part?.speech === undefined) return;
    const speaking: { id: bigint; user: number }[] = [];
    for (let i = 0; i < records.length && speaking.length < SAID; i++) {
      if (records.kind(i) === part.speech) speaking.push({ id: records.id(i), user: records.user(i) });
    }
    for (const id of said.keys()) if (!speaking.some((s) => s.id === id)) said.delete(id);
    for (const { id, user } of speaking) {
      const text = this.client.said(id);
      if (said.get(id) === text) continue;
      said.set(id, text);
      this.hear?.(user, text);
    }
  }

  private bodyOf(user: number): Place | undefined {
    const { records: r, painter } = this;
    for (let i = 0; painter && i < r.length; i++) if (painter.embodies(r.kind(i)) && r.user(i) === user) return { x: r.x(i), y: r.y(i) };
    return undefined;
  }

  // nameOf is what a user is called.
  nameOf(user: number): string {
    const { records: r, painter } = this;
    for (let i = 0; painter && i < r.length; i++) if (painter.embodies(r.kind(i)) && r.user(i) === user) return painter.nameOf(r, i);
    return "Somebody";
  }

  // somebody is the other user's body nearest to a place, if one is there.
  somebody(x: number, y: number): bigint | undefined {
    const { records: r, painter, camera } = this;
    let found: bigint | undefined, nearest = 24 / camera.scale;
    for (let i = 0; painter && i < r.length; i++) {
      if (!painter.embodies(r.kind(i)) || r.own(i)) continue;
      const far = Math.hypot(r.x(i) - x, r.y(i) - y) - this.part!.world.kinds[r.kind(i)].radius;
      if (far < nearest) [found, nearest] = [r.id(i), far];
    }
    return found;
  }

  // astray is how far what is shown is from what is certain or, if that is shown, from what is really so, on average over what moves and for the user's own body, in the world's
  // unit; undefined where nobody can tell.
  astray(): { all: number; own?: number } | undefined {
    const { painter, records: r } = this, ghosts = this.truths.length > 0 ? this.truths : this.client.ghosts();
    if (!painter || ghosts.length === 0) return undefined;
    const shown = new Map<bigint, number>();
    for (let i = 0; i < r.length; i++) shown.set(r.id(i), i);
    let sum = 0, n = 0, own: number | undefined;
    for (let g = 0; g < ghosts.length; g++) {
      const i = shown.get(ghosts.id(g));
      if (i === undefined || !painter.embodies(ghosts.kind(g))) continue;
      const off = Math.hypot(r.x(i) - ghosts.x(g), r.y(i) - ghosts.y(g));
      sum += off;
      n++;
      if (r.own(i)) own = off;
    }
    this.client.refresh();
    return n > 0 ? { all: sum / n, own } : undefined;
  }
}
