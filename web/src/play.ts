// The player's page: puts panes, controls and panel together.

import { Client } from "./client";
import type { State } from "./connection";
import { Controls, typing } from "./controls";
import { find, make, say } from "./dom";
import { newInputs, type Act, type Help } from "./inputs";
import { fade } from "./marks";
import { Meter } from "./meter";
import { Minimap } from "./minimap";
import { Unavailable, progressText, type Progress } from "./module";
import { Pane, type Wishes } from "./pane";
import { Panel } from "./panel";
import { base, chosen } from "./rooms";
import { Sharing } from "./sharing";
import { Strategy } from "./strategy";
import { Theme } from "./theme";
import { Truth } from "./truth";

const HINT = 12_000; // ms
const HINTS = 4; // that are given at first; the help has all

class Page {
  private readonly theme = new Theme();
  private readonly canvas = find<HTMLCanvasElement>("#world");
  private readonly pane: Pane;
  private beside?: { pane: Pane; meter: Meter; name: string }; // the same world under another mechanism
  private readonly panel: Panel;
  private readonly sharing: Sharing;
  private readonly controls: Controls;
  private readonly strategy: Strategy;
  private readonly minimap: Minimap;
  private readonly truth: Truth;
  private readonly pilot = find<HTMLInputElement>("#pilot");
  private readonly smooth = find<HTMLInputElement>("#smooth");
  private readonly wantsGhosts = find<HTMLInputElement>("#ghosts");
  private readonly wantsTree = find<HTMLInputElement>("#tree");
  private readonly wantsNames = find<HTMLInputElement>("#names");
  private frameAt = 0;
  private shownAt = 0;

  constructor(private readonly client: Client) {
    const { canvas, theme } = this;
    this.pane = new Pane(canvas, find<HTMLCanvasElement>("#texts"), client, theme, base, (s) => this.show(s), () => this.enter(), (user, text) => this.hear(user, text));
    const { camera } = this.pane;
    this.panel = new Panel(client, theme);
    this.sharing = new Sharing(() => this.panel.meter.figures(), (name, base) => this.split(name, base));
    this.controls = new Controls(canvas, camera, (a) => this.act(a), () => this.takeOver());
    this.controls.somebody = (x, y) => this.pane.somebody(x, y);
    this.strategy = new Strategy(canvas, camera, (a) => this.act(a), () => this.takeOver());
    this.minimap = new Minimap(client, camera, theme, (x, y) => this.strategy.on && this.strategy.look(x, y));
    this.truth = new Truth(client);
    this.wire();
    this.pane.connection.start();
    requestAnimationFrame((t) => this.frame(t));
    setInterval(() => this.countPeople(), 10_000);
  }

  private get panes(): Pane[] { return this.beside ? [this.pane, this.beside.pane] : [this.pane]; }

  private wire() {
    const { connection } = this.pane;
    this.pilot.addEventListener("change", () => this.autopilot(this.pilot.checked));
    this.smooth.addEventListener("change", () => this.panes.forEach((p) => p.client.raw(!this.smooth.checked)));
    find("#nearer").addEventListener("click", () => this.zoom(1.4));
    find("#farther").addEventListener("click", () => this.zoom(1 / 1.4));
    find("#leave").addEventListener("click", () => connection.leave());
    find("#notice-button").addEventListener("click", () => connection.again());
    find("#defeat-button").addEventListener("click", () => connection.restart());
    find("#vanish").addEventListener("click", () => this.pane.zones?.vanish((user) => this.pane.nameOf(user)));
    find("#unsplit").addEventListener("click", () => this.unsplit());
    this.canvas.addEventListener("wheel", () => this.alike());
    const help = find<HTMLDialogElement>("#help"), words = find<HTMLInputElement>("#words");
    find("#ask").addEventListener("click", () => help.showModal());
    find("#say").addEventListener("submit", (e) => {
      e.preventDefault();
      if (words.value.trim() && this.panes.map((p) => p.client.say(words.value))[0]) words.value = "";
      words.blur();
      for (const p of this.panes) p.connection.drain();
    });
    addEventListener("keydown", (e) => {
      if (e.key === "Escape" && document.activeElement === words) words.blur();
      if (typing(e.target) || e.ctrlKey || e.metaKey || e.altKey || document.querySelector("dialog[open]")) return;
      if (e.key === "?") help.showModal();
      if (!e.repeat && !(e.target instanceof HTMLButtonElement)) this.press(e.key === " " ? 0 : this.controls.inputs.buttons?.findIndex((b, i) => b.key === e.key.toLowerCase() || e.key === String(i + 1)) ?? -1);
      if (e.key === "+" || e.key === "=") this.zoom(1.25);
      if (e.key === "-") this.zoom(0.8);
      if (e.key === "Enter" && this.pane.part?.speech !== undefined && !(e.target instanceof HTMLButtonElement)) {
        e.preventDefault();
        words.focus();
      }
    });
  }

  private zoom(factor: number) {
    this.pane.camera.zoomBy(factor);
    this.alike();
  }

  // alike has both panes show as much.
  private alike() {
    const { camera } = this.pane, other = this.beside?.pane.camera;
    other?.zoomBy(camera.zoom / other.zoom);
  }

  // press is for a button of the world's own.
  private press(at: number) {
    const button = this.controls.inputs.buttons?.[at];
    if (!button || !this.controls.on) return;
    this.takeOver();
    this.act(button.act);
  }

  private act(a: Act): boolean {
    const done = this.panes.map((p) => {
      const ok = p.client.act(a);
      p.connection.drain();
      return ok;
    });
    return done[0];
  }

  // takeOver ends the computer's play when the user reaches for the controls.
  private takeOver() {
    find("#hint").classList.add("gone");
    if (this.pilot.checked) this.autopilot(false);
  }

  private autopilot(on: boolean) {
    this.pilot.checked = on;
    for (const p of this.panes) p.client.autopilot(on);
    this.controls.piloted = on;
    this.controls.forget();
  }

  // enter is called when the client has a new node.
  private enter() {
    const part = this.pane.part!;
    const inputs = newInputs(part.world);
    this.controls.reset(inputs, part.world.tick);
    this.autopilot(this.pilot.checked);
    this.client.raw(!this.smooth.checked);
    this.strategy.reset(part.world, part.user, inputs.commands ?? false);
    this.controls.on = !this.strategy.on;
    find("#stage").classList.toggle("commanding", this.strategy.on); // a map and orders take the lower edge
    this.minimap.reset(part.world, this.strategy.on);
    this.pane.painter!.begin?.(part.sight, this.strategy.selected);
    this.panel.describe(part);
    this.truth.begin(base);
    find("#help-keys").replaceChildren(...inputs.help.flatMap((h) => [make("dt", "", h.by), make("dd", "", h.does)]));
    this.hint(inputs.help);
    find("#buttons").replaceChildren(...(inputs.buttons ?? []).map((b, i) => {
      const button = make("button", "", b.name);
      button.addEventListener("click", () => this.press(i));
      return button;
    }));
  }

  // split plays the same world under another mechanism beside this one.
  private async split(name: string, base: string) {
    this.unsplit();
    const client = await Client.load(wait, crashed), [canvas, texts] = ["#world-beside", "#texts-beside"].map((id) => {
      const fresh = find<HTMLCanvasElement>(id).cloneNode() as HTMLCanvasElement; // one without what was drawn on it before
      find(id).replaceWith(fresh);
      fresh.hidden = false;
      return fresh;
    });
    client.worsen(this.panel.trouble);
    this.panel.also = client;
    const pane = new Pane(canvas, texts, client, this.theme, base, () => {}, () => {
      pane.painter!.begin?.(pane.part!.sight, this.strategy.selected);
      client.raw(!this.smooth.checked);
      client.autopilot(this.pilot.checked);
      this.controls.forget();
    });
    this.beside = { pane, meter: new Meter(client), name };
    find("#stage").classList.add("split");
    find("#compared").hidden = false;
    pane.connection.start();
  }

  private unsplit() {
    this.beside?.pane.connection.leave();
    this.beside = this.panel.also = undefined;
    find("#stage").classList.remove("split");
    for (const id of ["#compared", "#world-beside", "#texts-beside"]) find(id).hidden = true;
  }

  // hint says for a while how to begin.
  private hint(help: Help[]) {
    const hint = find("#hint"), fingers = matchMedia("(pointer: coarse)").matches;
    hint.textContent = help.filter((h) => (fingers ? h.touch : h.touch !== "only")).slice(0, HINTS).map((h) => `${h.by}: ${h.does}`).join("  ·  ");
    hint.hidden = false;
    hint.classList.remove("gone");
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
    if (this.pane.connection.state.is !== "in" || document.hidden) return;
    const reply = await fetch(`${base}/api/info`).catch(() => undefined);
    if (!reply?.ok) return;
    const info = await reply.json();
    this.panel.count(info.people, info.artificial);
  }

  private frame(time: number) {
    requestAnimationFrame((t) => this.frame(t));
    const seconds = Math.min(0.25, (time - this.frameAt) / 1000);
    this.frameAt = time;
    const wishes: Wishes = { ghosts: this.wantsGhosts.checked, names: this.wantsNames.checked, truth: this.truth.on, tree: this.wantsTree.checked };
    for (const pane of this.panes) {
      pane.camera.insets = this.insets(pane.canvas);
      const main = pane === this.pane;
      if (!pane.learn(main ? wishes : { ...wishes, truth: false })) continue;
      if (main) this.controls.body = pane.body;
      if (main && this.strategy.on && pane.records.length > 0) this.strategy.see(pane.records, seconds);
      pane.paint(this.strategy.on ? this.strategy.at : pane.body, wishes, seconds, time / 1000, main ? () => this.paintStick() : undefined);
    }
    if (time - this.shownAt > 500) this.update();
  }

  // insets are what covers the picture: the bars above and below, and on a phone the sheet.
  private insets(canvas: HTMLCanvasElement) {
    const narrow = canvas.clientWidth < 600, box = canvas.getBoundingClientRect(), said = this.pane.part?.speech !== undefined ? 64 : 0;
    const sheet = Math.max(0, box.bottom - this.panel.top);
    return { top: 64, right: narrow ? 0 : 56, bottom: sheet < box.height ? Math.max(said, sheet) : said, left: narrow ? 0 : 56 };
  }

  private update() {
    this.shownAt = performance.now();
    const { pane, beside } = this;
    if (!pane.painter) return;
    this.panel.update(pane);
    pane.zones?.update(this.wantsTree.checked, (user) => pane.nameOf(user));
    find("#tree-row").hidden = !pane.zones;
    find("#tree-facts").hidden = !pane.zones || !this.wantsTree.checked;
    this.announce(this.client.notice());
    this.client.refresh();
    this.minimap.update(pane.records);
    this.strategy.update();
    find("#defeat").hidden = !this.strategy.defeated || pane.connection.state.is !== "in";
    this.sharing.update();
    for (const p of this.panes) p.watch();
    beside?.meter.look();
    if (beside) this.compare(pane.part!.mechanism, this.panel.meter, beside.name, beside.meter);
  }

  // announce shows what operators have to say, for a while.
  private announce(text: string) {
    if (!text) return;
    const notice = find("#notice");
    say(find("#notice-title"), "From the operators");
    say(find("#notice-text"), text);
    notice.hidden = false;
    setTimeout(() => (notice.hidden ||= this.pane.connection.state.is === "in"), HINT);
  }

  // compare shows the figures of two mechanisms side by side.
  private compare(left: string, one: Meter, right: string, other: Meter) {
    const a = one.figures(), b = other.figures();
    if (a.length === 0 || b.length === 0) return;
    const row = (tag: "th" | "td", cells: string[]) => {
      const tr = make("tr");
      tr.append(...cells.map((c) => make(tag, "", c)));
      return tr;
    };
    find("#compared-table").replaceChildren(row("th", ["", left, right]), ...a.map(([name, value], i) => row("td", [name, value, b[i][1]])));
  }

  // paintStick shows where a drag began and where it leads.
  private paintStick() {
    const { stick } = this.controls, { box } = this.strategy, { camera, marks } = this.pane;
    if (box) {
      const [ax, ay] = camera.toWorld(box.x + box.dx / 2, box.y + box.dy / 2), accent = this.theme.colour("accent");
      marks.box(ax, ay, Math.abs(box.dx) / 2 / camera.scale, Math.abs(box.dy) / 2 / camera.scale, 0, 0, { fill: fade(accent, 0.12), edge: accent, width: 1.5 });
    }
    if (!stick || this.controls.inputs.track) return;
    const [x, y] = camera.toWorld(stick.x, stick.y), unit = 1 / camera.scale;
    const accent = this.theme.colour("accent");
    marks.disc(x, y, 36 * unit, { fill: fade(accent, 0.12), edge: fade(accent, 0.5), width: 1.5 });
    marks.disc(x + stick.dx * 36 * unit, y + stick.dy * 36 * unit, 15 * unit, { fill: fade(accent, 0.75) });
  }

  private hear(user: number, text: string) {
    this.panel.hear(user === this.pane.part!.user ? "You" : this.pane.nameOf(user), text);
  }

  // look is for those who want to know from outside, such as tests.
  look() {
    const { pane } = this, r = this.client.view(), bodies = [], mine = [], fields = [];
    for (let i = 0; i < r.length; i++) {
      const { name, variables } = pane.part!.world.kinds[r.kind(i)];
      if (name === "field") fields.push({ x: r.x(i), y: r.y(i) });
      if (pane.painter?.embodies(r.kind(i))) bodies.push({ user: r.user(i), x: r.x(i), y: r.y(i), own: r.own(i) });
      if (r.own(i)) mine.push({ kind: name, ...Object.fromEntries(variables.map((v) => [v.name, v.attr === undefined ? 0 : r.attr(i, v.attr)])), x: r.x(i), y: r.y(i) });
    }
    const areas = this.client.areas(), scenery = pane.scenery?.length ?? 0, beside = this.beside?.pane;
    return {
      mine, fields, areas, scenery, selected: this.strategy.selected.size, part: pane.part, counts: this.client.counts(), bodies, ghosts: this.client.ghosts().length, truths: this.client.truths().length, clouds: pane.clouds, camera: pane.camera, zoned: pane.zones?.look(),
      beside: beside && { state: beside.connection.state.is, part: beside.part, body: beside.body, counts: beside.client.counts() },
    };
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

chosen().then(() => Client.load(wait, crashed)).then((client) => Object.assign(window, { throng: new Page(client) }), crashed);
