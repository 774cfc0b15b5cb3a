// The player's page: puts client, connection, picture and panel together.

import { Camera } from "./camera";
import { Client, type Part } from "./client";
import { Connection, type State } from "./connection";
import { Controls, typing } from "./controls";
import { find, make, say } from "./dom";
import { newInputs, type Act, type Help } from "./inputs";
import { Labels } from "./labels";
import { fade, Marks } from "./marks";
import { Minimap } from "./minimap";
import { Unavailable, progressText, type Progress } from "./module";
import { newPainter, type Painter, type Picture } from "./paint/painter";
import { Panel } from "./panel";
import { Records } from "./records";
import { Strategy } from "./strategy";
import { newSurface } from "./surface";
import { Theme } from "./theme";

const NOTHING = new Records();
const GHOSTS = 0.55; // how opaque they are
const HINT = 12_000; // ms
const SAID = 64; // texts that are shown at most
const NAMED = 80; // objects that are named at most

class Page {
  private readonly theme = new Theme();
  private readonly camera = new Camera();
  private readonly marks = new Marks();
  private readonly canvas = find<HTMLCanvasElement>("#world");
  private readonly texts = find<HTMLCanvasElement>("#texts");
  private readonly surface = newSurface(this.canvas, new URLSearchParams(location.search).has("plain"));
  private readonly labels = new Labels(this.texts, this.camera, this.theme);
  private readonly panel: Panel;
  private readonly controls: Controls;
  private readonly strategy: Strategy;
  private readonly minimap: Minimap;
  private readonly connection: Connection;
  private readonly pilot = find<HTMLInputElement>("#pilot");
  private readonly smooth = find<HTMLInputElement>("#smooth");
  private readonly wantsGhosts = find<HTMLInputElement>("#ghosts");
  private readonly wantsNames = find<HTMLInputElement>("#names");

  private part?: Part;
  private painter?: Painter;
  private records = NOTHING;
  private ghosts = NOTHING;
  private backdrop = NOTHING;
  private readonly said = new Map<bigint, string>(); // what is being said, by what holds it
  private scenery?: Float32Array;
  private frameAt = 0;
  private shownAt = 0;

  constructor(private readonly client: Client) {
    this.panel = new Panel(client, this.theme);
    this.controls = new Controls(this.canvas, this.camera, (a) => this.act(a), () => this.takeOver());
    this.strategy = new Strategy(this.canvas, this.camera, (a) => this.act(a), () => this.takeOver());
    this.minimap = new Minimap(client, this.camera, this.theme, (x, y) => this.strategy.on && this.strategy.look(x, y));
    this.connection = new Connection(client, (s) => this.show(s), () => this.enter());
    this.wire();
    this.connection.start();
    requestAnimationFrame((t) => this.frame(t));
    setInterval(() => this.countPeople(), 10_000);
  }

  private wire() {
    const { client } = this;
    this.pilot.addEventListener("change", () => this.autopilot(this.pilot.checked));
    this.smooth.addEventListener("change", () => client.raw(!this.smooth.checked));
    find("#nearer").addEventListener("click", () => this.camera.zoomBy(1.4));
    find("#farther").addEventListener("click", () => this.camera.zoomBy(1 / 1.4));
    find("#leave").addEventListener("click", () => this.connection.leave());
    find("#notice-button").addEventListener("click", () => this.connection.again());
    const help = find<HTMLDialogElement>("#help"), words = find<HTMLInputElement>("#words");
    find("#ask").addEventListener("click", () => help.showModal());
    find("#say").addEventListener("submit", (e) => {
      e.preventDefault();
      if (words.value.trim() && client.say(words.value)) words.value = "";
      words.blur();
      this.connection.drain();
    });
    addEventListener("keydown", (e) => {
      if (e.key === "Escape" && document.activeElement === words) words.blur();
      if (typing(e.target) || e.ctrlKey || e.metaKey || e.altKey || help.open) return;
      if (e.key === "?") help.showModal();
      if (!e.repeat && !(e.target instanceof HTMLButtonElement)) this.press(e.key === " " ? 0 : Number(e.key) - 1);
      if (e.key === "+" || e.key === "=") this.camera.zoomBy(1.25);
      if (e.key === "-") this.camera.zoomBy(0.8);
      if (e.key === "Enter" && this.part?.speech !== undefined && !(e.target instanceof HTMLButtonElement)) {
        e.preventDefault();
        words.focus();
      }
    });
  }

  // press is for a button of the world's own.
  private press(at: number) {
    const button = this.controls.inputs.buttons?.[at];
    if (!button || !this.controls.on) return;
    this.takeOver();
    this.act(button.act);
  }

  private act(a: Act): boolean {
    const ok = this.client.act(a);
    this.connection.drain();
    return ok;
  }

  // takeOver ends the computer's play when the user reaches for the controls.
  private takeOver() {
    find("#hint").classList.add("gone");
    if (this.pilot.checked) this.autopilot(false);
  }

  private autopilot(on: boolean) {
    this.pilot.checked = on;
    this.client.autopilot(on);
    this.controls.piloted = on;
    this.controls.forget();
  }

  // enter is called when the client has a new node.
  private enter() {
    const part = this.client.describe();
    this.part = part;
    this.painter = newPainter(part.world);
    this.camera.show(part.world.bounds, this.painter.radius);
    const inputs = newInputs(part.world);
    this.controls.reset(inputs, part.world.tick);
    this.autopilot(this.pilot.checked);
    this.client.raw(!this.smooth.checked);
    this.strategy.reset(part.world, part.user, inputs.commands ?? false);
    this.controls.on = !this.strategy.on;
    this.minimap.reset(part.world, this.strategy.on);
    this.painter.begin?.(part.sight, this.strategy.selected);
    this.panel.describe(part);
    this.backdrop = this.client.backdrop();
    find("#help-keys").replaceChildren(...inputs.help.flatMap((h) => [make("dt", "", h.by), make("dd", "", h.does)]));
    this.hint(inputs.help);
    find("#buttons").replaceChildren(...(inputs.buttons ?? []).map((b, i) => {
      const button = make("button", "", b.name);
      button.addEventListener("click", () => this.press(i));
      return button;
    }));
    this.said.clear();
  }

  // hint says for a while how to begin.
  private hint(help: Help[]) {
    const hint = find("#hint"), fingers = matchMedia("(pointer: coarse)").matches;
    hint.textContent = help.filter((h) => h.touch || !fingers).map((h) => `${h.by}: ${h.does}`).join("  ·  ");
    hint.hidden = false;
    setTimeout(() => hint.classList.add("gone"), HINT);
  }

  // show tells the user how the connection is.
  private show(s: State) {
    const pill = find("#state"), notice = find("#notice"), button = find("#notice-button");
    const words = { joining: "joining", in: "connected", lost: "reconnecting", ended: "not connected" };
    pill.dataset.is = s.is;
    document.documentElement.dataset.state = s.is;
    say(find("#state b"), words[s.is]);
    find("#joining").classList.toggle("done", s.is !== "joining");
    notice.hidden = s.is === "in" || s.is === "joining";
    notice.classList.toggle("bad", s.is === "ended");
    button.hidden = !(s.is === "ended" && s.again);
    if (s.is === "lost") {
      say(find("#notice-title"), "The connection is lost");
      say(find("#notice-text"), "Trying to come back. What you see is a guess of how the world goes on.");
    }
    if (s.is === "ended") {
      say(find("#notice-title"), "You are not in the world");
      say(find("#notice-text"), sentence(s.reason));
    }
    if (s.is === "in") {
      performance.mark("in-world");
      this.countPeople();
    }
  }

  private async countPeople() {
    if (this.connection.state.is !== "in" || document.hidden) return;
    const reply = await fetch("/api/info").catch(() => undefined);
    if (!reply?.ok) return;
    const info = await reply.json();
    this.panel.count(info.people, info.artificial);
  }

  private frame(time: number) {
    requestAnimationFrame((t) => this.frame(t));
    const seconds = Math.min(0.25, (time - this.frameAt) / 1000);
    this.frameAt = time;
    const narrow = this.canvas.clientWidth < 600;
    this.camera.insets = { top: 64, right: narrow ? 0 : 56, bottom: this.part?.speech !== undefined ? 64 : 0, left: narrow ? 0 : 56 };
    const resized = this.camera.resize([this.canvas, this.texts]);
    if (this.connection.state.is === "ended" && !resized) return; // the last picture stays
    this.ghosts = this.wantsGhosts.checked ? this.client.ghosts() : NOTHING;
    this.records = this.client.view();
    this.client.refresh();
    this.connection.drain();
    this.paint(seconds, time / 1000);
    if (time - this.shownAt > 500) this.update();
  }

  private update() {
    this.shownAt = performance.now();
    if (!this.painter) return;
    this.panel.update(this.records, this.painter, this.connection.transport?.name);
    this.minimap.update(this.records);
    this.strategy.update();
    const [x, y] = this.camera.toWorld(0, 0), { width, height } = this.camera.size();
    this.client.watch(x, y, x + width, y + height);
    this.scene(x, y, width, height);
    this.client.refresh();
  }

  private paint(passed: number, seconds: number) {
    const { painter, records, camera, marks, labels, theme } = this;
    marks.clear();
    labels.begin();
    if (painter && records.length > 0) {
      const me = records.findOwn(painter.avatar);
      this.controls.body = me < 0 ? undefined : { x: records.x(me), y: records.y(me) };
      if (this.strategy.on) this.strategy.see(records, passed);
      const at = this.strategy.on ? this.strategy.at : this.controls.body;
      camera.follow(at?.x, at?.y, passed);
      const picture: Picture = { marks, labels, camera, theme, seconds, scenery: this.scenery, speech: (id) => this.speech(id) };
      painter.ground(picture, records, this.backdrop);
      if (painter.radius && this.part?.sight && this.controls.body && !this.strategy.on) {
        marks.disc(this.controls.body.x, this.controls.body.y, this.part.sight, { edge: theme.colour("sight"), width: 1.5 });
      }
      const colour = fade(theme.colour("ink"), GHOSTS);
      for (let i = 0; i < this.ghosts.length; i++) painter.outline(picture, this.ghosts, i, colour, 0);
      this.listen(painter);
      painter.bodies(picture, records);
      if (this.wantsNames.checked) this.paintNames(painter);
      this.paintStick();
    }
    labels.end();
    this.surface.draw(marks, camera, theme.colour("outside"));
  }

  // scene learns the scenery around what is in the picture, so that a little of moving shows nothing new.
  private scene(x: number, y: number, width: number, height: number) {
    if (this.part?.scenic) this.scenery = this.client.scenery(x - width / 2, y - height / 2, x + 1.5 * width, y + 1.5 * height);
  }

  private paintNames(painter: Painter) {
    const { records, camera } = this;
    let named = 0;
    for (let i = 0; i < records.length && named < NAMED; i++) {
      if (records.kind(i) !== painter.avatar || !camera.sees(records.x(i), records.y(i), 0)) continue;
      this.labels.name(painter.nameOf(records, i), records.x(i), records.y(i), 0.9 * camera.scale + 4, records.own(i));
      named++;
    }
  }

  // paintStick shows where a drag began and where it leads.
  private paintStick() {
    const { stick } = this.controls, { box } = this.strategy;
    if (box) {
      const [ax, ay] = this.camera.toWorld(box.x + box.dx / 2, box.y + box.dy / 2), accent = this.theme.colour("accent");
      this.marks.box(ax, ay, Math.abs(box.dx) / 2 / this.camera.scale, Math.abs(box.dy) / 2 / this.camera.scale, 0, 0, { fill: fade(accent, 0.12), edge: accent, width: 1.5 });
    }
    if (!stick || this.controls.inputs.track) return;
    const [x, y] = this.camera.toWorld(stick.x, stick.y), unit = 1 / this.camera.scale;
    const accent = this.theme.colour("accent");
    this.marks.disc(x, y, 36 * unit, { fill: fade(accent, 0.12), edge: fade(accent, 0.5), width: 1.5 });
    this.marks.disc(x + stick.dx * 36 * unit, y + stick.dy * 36 * unit, 15 * unit, { fill: fade(accent, 0.75) });
  }

  private speech(id: bigint): string {
    return this.said.get(id) ?? "";
  }

  // listen learns what is being said.
  private listen(painter: Painter) {
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
      this.panel.hear(user === part.user ? "You" : this.nameOfUser(painter, user), text);
    }
  }

  private nameOfUser(painter: Painter, user: number): string {
    const r = this.records;
    for (let i = 0; i < r.length; i++) if (r.kind(i) === painter.avatar && r.user(i) === user) return painter.nameOf(r, i);
    return "Somebody";
  }

  // look is for those who want to know from outside, such as tests.
  look() {
    const r = this.client.view(), kind = this.painter?.avatar ?? -1, bodies = [], mine = [];
    for (let i = 0; i < r.length; i++) {
      if (r.kind(i) === kind) bodies.push({ user: r.user(i), x: r.x(i), y: r.y(i), own: r.own(i) });
      if (r.own(i)) mine.push({ kind: this.part?.world.kinds[r.kind(i)].name, x: r.x(i), y: r.y(i) });
    }
    const areas = this.client.areas(), scenery = this.scenery?.length ?? 0;
    return { mine, areas, scenery, selected: this.strategy.selected.size, part: this.part, counts: this.client.counts(), bodies, ghosts: this.client.ghosts().length, camera: this.camera };
  }
}

function sentence(s: string): string {
  return s.charAt(0).toUpperCase() + s.slice(1);
}

function wait(p: Progress) {
  say(find("#joining p"), progressText(p));
}

function crashed(e: unknown) {
  console.error(e);
  document.documentElement.dataset.state = find("#state").dataset.is = "crashed";
  say(find("#state b"), "not connected");
  find("#notice").hidden = false;
  find("#notice").classList.add("bad");
  find("#joining").classList.add("done");
  const unavailable = e instanceof Unavailable;
  say(find("#notice-title"), unavailable ? "The page could not be compiled" : "Something went wrong");
  say(find("#notice-text"), unavailable ? sentence(e.message) : "Load the page again to go on as the same person.");
}

Client.load(wait, crashed).then((client) => Object.assign(window, { throng: new Page(client) }), crashed);
