// The page for recordings: several hosts' views over each other, and curves.

import { Camera } from "./camera";
import { Curves } from "./curves";
import { bytes, find, make, say } from "./dom";
import { Events } from "./events";
import { Inspector, trackColour, trackName } from "./inspect";
import { Labels } from "./labels";
import { Marks } from "./marks";
import { Unavailable, progressText, type Progress } from "./module";
import { newPainter, type Painter, type Picture } from "./paint/painter";
import { Recording, type About, type Track } from "./recording";
import { newSurface } from "./surface";
import { Theme } from "./theme";
import { typing } from "./controls";

const SHOWN = 3; // hosts that are shown at first, beside the truth
const RING = 2.6; // px from the outline of one view to that of the next
const WHEEL = 0.0016;
const CLICK = 5; // px that a pointer may move in a click
const LIST = "/api/recordings";

class Viewer {
  private readonly theme = new Theme();
  private readonly camera = new Camera();
  private readonly marks = new Marks();
  private readonly canvas = find<HTMLCanvasElement>("#world");
  private readonly texts = find<HTMLCanvasElement>("#texts");
  private readonly surface = newSurface(this.canvas, new URLSearchParams(location.search).has("plain"));
  private readonly labels = new Labels(this.texts, this.camera, this.theme);
  private readonly curves = new Curves(find("#curves"), this.theme, (s) => this.seek(s * 1000));
  private readonly events = new Events(find("#events"), (ms) => this.seek(ms));
  private readonly scrub = find<HTMLInputElement>("#scrub");
  private readonly speed = find<HTMLSelectElement>("#speed");

  private readonly inspector: Inspector;
  private about?: About;
  private painter?: Painter;
  private chosen: number[] = [];
  private at = 0; // ms
  private playing = false;
  private dirty = true;
  private last = 0;

  constructor(private readonly recording: Recording) {
    this.inspector = new Inspector(recording, () => (this.dirty = true));
    this.wire();
    requestAnimationFrame((t) => this.frame(t));
    const query = new URLSearchParams(location.search), name = query.get("recording"), url = query.get("url");
    if (name) this.fetch(`${LIST}/${name.split("/").map(encodeURIComponent).join("/")}`, name);
    else if (url) this.fetch(url, url);
    else this.empty();
  }

  private wire() {
    find("#play").addEventListener("click", () => this.play(!this.playing));
    find("#back").addEventListener("click", () => this.step(-1));
    find("#on").addEventListener("click", () => this.step(1));
    find("#event-back").addEventListener("click", () => this.stepEvent(-1));
    find("#event-on").addEventListener("click", () => this.stepEvent(1));
    find("#link").addEventListener("click", () => navigator.clipboard?.writeText(location.href));
    this.scrub.addEventListener("input", () => this.seek(+this.scrub.value));
    for (const id of ["#file", "#file-too"]) {
      find<HTMLInputElement>(id).addEventListener("change", (e) => this.take((e.target as HTMLInputElement).files?.[0]));
    }
    const over = (e: DragEvent, on: boolean) => {
      e.preventDefault();
      find("#empty").classList.toggle("over", on);
    };
    addEventListener("dragover", (e) => over(e, true));
    addEventListener("dragleave", (e) => over(e, false));
    addEventListener("drop", (e) => {
      over(e, false);
      this.take(e.dataTransfer?.files[0]);
    });
    addEventListener("keydown", (e) => this.key(e));
    this.wireCanvas();
  }

  // wireCanvas lets one finger or the mouse move the picture, and two fingers or the wheel zoom it.
  private wireCanvas() {
    const { canvas, camera } = this, touches = new Map<number, { x: number; y: number }>();
    let pressed = { x: 0, y: 0 };
    canvas.addEventListener("pointerdown", (e) => {
      canvas.setPointerCapture(e.pointerId);
      touches.set(e.pointerId, { x: e.offsetX, y: e.offsetY });
      pressed = { x: e.offsetX, y: e.offsetY };
    });
    canvas.addEventListener("pointerup", (e) => {
      if (this.about && touches.size === 1 && Math.hypot(e.offsetX - pressed.x, e.offsetY - pressed.y) < CLICK) {
        this.inspector.pick(this.recording.list(this.chosen[0]), this.about.world, ...camera.toWorld(e.offsetX, e.offsetY), 12 / camera.scale);
      }
    });
    for (const end of ["pointerup", "pointercancel"] as const) canvas.addEventListener(end, (e) => touches.delete(e.pointerId));
    canvas.addEventListener("pointermove", (e) => {
      const before = touches.get(e.pointerId);
      if (!before) return;
      const other = [...touches].find(([id]) => id !== e.pointerId)?.[1], now = { x: e.offsetX, y: e.offsetY };
      touches.set(e.pointerId, now);
      if (other) {
        const spread = (p: typeof now) => Math.max(1, Math.hypot(p.x - other.x, p.y - other.y));
        this.zoomAt(other.x, other.y, spread(now) / spread(before));
        return;
      }
      camera.x -= (now.x - before.x) / camera.scale;
      camera.y -= (now.y - before.y) / camera.scale;
      this.dirty = true;
    });
    canvas.addEventListener("wheel", (e) => {
      e.preventDefault();
      this.zoomAt(e.offsetX, e.offsetY, Math.exp(-e.deltaY * (e.deltaMode === 1 ? 20 : 1) * WHEEL));
    }, { passive: false });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => (this.dirty = true));
  }

  // zoomAt zooms such that what is at a point of the canvas stays there.
  private zoomAt(px: number, py: number, factor: number) {
    const { camera } = this, [x, y] = camera.toWorld(px, py);
    camera.zoomBy(factor);
    const [nx, ny] = camera.toWorld(px, py);
    camera.x += x - nx;
    camera.y += y - ny;
    this.dirty = true;
  }

  private key(e: KeyboardEvent) {
    if (!this.about || typing(e.target) || e.ctrlKey || e.metaKey || e.altKey) return;
    const second = Math.round(1000 / this.about.span);
    const does: Record<string, () => void> = {
      " ": () => this.play(!this.playing),
      ArrowLeft: () => this.step(e.shiftKey ? -second : -1),
      ArrowRight: () => this.step(e.shiftKey ? second : 1),
      Home: () => this.seek(0),
      End: () => this.seek(this.end),
      ",": () => this.stepEvent(-1),
      ".": () => this.stepEvent(1),
      Escape: () => this.inspector.choose(undefined),
    };
    if (!(e.key in does) || (e.key === " " && e.target instanceof HTMLButtonElement)) return;
    e.preventDefault();
    does[e.key]();
  }

  private state(s: "empty" | "loading" | "ready") {
    say(find("#loading p"), "Reading the recording …");
    document.documentElement.dataset.state = s;
    find("#loading").hidden = s !== "loading";
    find("#empty").hidden = s !== "empty";
    for (const id of ["#side", "#dock"]) find(id).hidden = s !== "ready";
    document.body.classList.toggle("bare", s !== "ready");
  }

  // empty offers what there is to open.
  private async empty(problem = "") {
    this.state("empty");
    find("#problem").hidden = !problem;
    say(find("#problem"), problem);
    const reply = await fetch(LIST).catch(() => undefined);
    if (!reply?.ok || !reply.headers.get("Content-Type")?.includes("json")) return;
    const list: { name: string; size: number }[] = await reply.json();
    find("#list").replaceChildren(...list.map(({ name, size }) => {
      const item = make("li"), link = make("a", "", name);
      link.href = `/view?recording=${encodeURIComponent(name)}`;
      link.append(make("span", "", bytes(size)));
      item.append(link);
      return item;
    }));
  }

  private async fetch(url: string, name: string) {
    this.state("loading");
    try {
      const reply = await fetch(url);
      if (!reply.ok) throw new Error(`${name} cannot be had (${reply.status})`);
      this.open(new Uint8Array(await reply.arrayBuffer()));
    } catch (e) {
      this.empty((e as Error).message);
    }
  }

  private async take(file: File | undefined) {
    if (!file) return;
    this.state("loading");
    try {
      this.open(new Uint8Array(await file.arrayBuffer()));
    } catch (e) {
      this.empty((e as Error).message);
    }
  }

  private open(content: Uint8Array) {
    this.about = undefined;
    this.play(false);
    const about = this.recording.open(content);
    this.about = about;
    this.painter = newPainter(about.world);
    this.state("ready");
    this.camera.resize([this.canvas, this.texts]);
    this.camera.show(about.world.bounds);
    this.camera.follow((about.world.bounds[0] + about.world.bounds[2]) / 2, (about.world.bounds[1] + about.world.bounds[3]) / 2, 0);
    say(find("#title"), `${about.world.name} · ${about.mechanism}`);
    document.title = `throng · ${about.world.name} under ${about.mechanism}`;
    say(find("#about"), `${about.network} network, seed ${about.seed}, ${about.tracks.length} views, ${about.frames} frames`);
    say(find("#damage"), about.damage ?? "");
    find("#params").replaceChildren(...about.params.map((p) => make("li", "", p)));
    this.scrub.max = String(this.end);
    this.scrub.step = "any";
    say(find("#length"), `/ ${seconds(this.end)}`);
    this.listTracks(about.tracks);
    this.events.show(about.events, about.causes, this.end);
    if (about.curves.length > 0) this.curves.show(about.curves, this.recording.curves(about.curves.length), about.span / 1000, about.warmup / 1000);
    this.inspector.length = this.end;
    const hash = new URLSearchParams(location.hash.slice(1)), object = hash.get("object");
    this.inspector.choose(object && /^\d+$/.test(object) ? BigInt(object) : undefined);
    this.seek(Number(hash.get("t") ?? 0) * 1000 || 0);
  }

  // stepEvent goes to the event before or after this moment.
  private stepEvent(by: number) {
    const times = this.about!.events.map((e) => e.at).sort((a, b) => a - b), next = by > 0 ? times.find((t) => t > this.at + 0.5) : times.filter((t) => t < this.at - 0.5).pop();
    this.play(false);
    if (next !== undefined) this.seek(next);
  }

  // mark has the address lead to this moment, and to the object that is looked at.
  private mark() {
    const hash = `#t=${(this.at / 1000).toFixed(3)}${this.inspector.id === undefined ? "" : `&object=${this.inspector.id}`}`;
    if (location.hash !== hash) history.replaceState(null, "", hash);
  }

  private get end(): number {
    return this.about ? Math.max(0, this.about.frames - 1) * this.about.span : 0;
  }

  private listTracks(tracks: Track[]) {
    const truth = tracks.findIndex((t) => t.role === "truth");
    const hosts = tracks.map((_, i) => i).filter((i) => i !== truth).slice(0, SHOWN);
    this.chosen = truth >= 0 ? [truth, ...hosts] : hosts;
    find("#tracks").replaceChildren(...tracks.map((t, i) => {
      const item = make("li"), label = make("label"), box = make("input");
      box.type = "checkbox";
      box.checked = this.chosen.includes(i);
      box.addEventListener("change", () => this.choose(i, box.checked));
      label.style.setProperty("--colour", this.theme.text(trackColour(t)));
      label.append(box, trackName(t));
      if (t.role !== "truth") label.append(make("span", "note", `node ${t.node}`));
      item.append(label);
      return item;
    }));
    this.recording.choose(this.chosen);
  }

  // choose shows or hides a track. The truth stays below the others.
  private choose(i: number, on: boolean) {
    this.chosen = this.chosen.filter((c) => c !== i);
    if (on && this.about!.tracks[i].role === "truth") this.chosen.unshift(i);
    else if (on) this.chosen.push(i);
    this.recording.choose(this.chosen);
    this.dirty = true;
  }

  private play(on: boolean) {
    if (on && this.at >= this.end) this.at = 0;
    this.playing = on;
    const button = find("#play");
    button.classList.toggle("playing", on);
    button.setAttribute("aria-label", on ? "Pause" : "Play");
  }

  private seek(ms: number) {
    this.at = Math.min(Math.max(ms, 0), this.end);
    this.dirty = true;
  }

  private step(frames: number) {
    this.play(false);
    this.seek((Math.round(this.at / this.about!.span) + frames) * this.about!.span);
  }

  private frame(time: number) {
    requestAnimationFrame((t) => this.frame(t));
    const passed = Math.min(250, time - this.last);
    this.last = time;
    this.dirty = this.camera.resize([this.canvas, this.texts]) || this.dirty;
    if (this.playing) {
      this.seek(this.at + passed * +this.speed.value);
      if (this.at >= this.end) this.play(false);
    }
    if (!this.about || !this.dirty) return;
    this.dirty = false;
    try {
      this.paint(time / 1000);
    } catch (e) {
      this.play(false);
      this.about = undefined;
      this.empty((e as Error).message);
      return;
    }
    this.scrub.value = String(this.at);
    say(find("#time"), seconds(this.at));
    this.curves.follow(this.at / 1000);
    if (!this.playing) this.mark();
  }

  private paint(now: number) {
    const { marks, labels, camera, theme, recording, painter, chosen } = this;
    marks.clear();
    labels.begin();
    camera.follow(camera.x, camera.y, 0);
    recording.show(this.at);
    const picture: Picture = { marks, labels, camera, theme, seconds: now, speech: (id) => recording.said(chosen[0], id), human: () => false };
    chosen.forEach((track, k) => {
      const records = recording.list(track);
      if (k === 0) painter!.ground(picture, records);
      if (k === 0) painter!.bodies(picture, records); // as in the page; the others as outlines over it
      if (chosen.length === 1) return;
      // Each is drawn a little within the one before, so that views that agree show as rings within rings.
      const colour = theme.colour(trackColour(this.about!.tracks[track]));
      for (let i = 0; i < records.length; i++) painter!.outline(picture, records, i, colour, RING * k);
    });
    this.paintChosen();
    labels.end();
    this.surface.draw(marks, camera, theme.colour("outside"));
  }

  // paintChosen marks the object that is looked at, as each host sees it, and lists its attributes.
  private paintChosen() {
    const { inspector, about, chosen, recording, marks, theme, camera } = this;
    if (inspector.id === undefined || !about) return;
    inspector.show(about.world, about.tracks, chosen);
    for (const track of chosen) {
      const r = recording.list(track);
      for (let i = 0; i < r.length; i++) {
        if (r.id(i) === inspector.id) marks.disc(r.x(i), r.y(i), about.world.kinds[r.kind(i)].radius + 9 / camera.scale, { edge: theme.colour(trackColour(about.tracks[track])), width: 2 });
      }
    }
  }

  // somewhere is an object in the picture and where on the page it is, for tests.
  somewhere(): [string, number, number] {
    const r = this.recording.list(this.chosen[0]), box = this.canvas.getBoundingClientRect();
    const [x, y] = this.camera.toPage(r.x(0), r.y(0));
    return [r.id(0).toString(), box.left + x, box.top + y];
  }

  // look is for those who want to know from outside, such as tests.
  look() {
    return { about: this.about, at: this.at, playing: this.playing, chosen: this.chosen, marks: this.marks.count, object: this.inspector.id?.toString() };
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

function wait(p: Progress) {
  document.documentElement.dataset.state = "loading";
  find("#empty").hidden = true;
  find("#loading").hidden = false;
  say(find("#loading p"), progressText(p));
}

function crashed(e: unknown) {
  console.error(e);
  document.documentElement.dataset.state = "crashed";
  find("#loading").hidden = true;
  find("#empty").hidden = false;
  find("#problem").hidden = false;
  say(find("#problem"), e instanceof Unavailable ? `The page could not be compiled: ${e.message}` : "Something went wrong. Load the page again.");
}

Recording.load(wait, crashed).then((r) => Object.assign(window, { throng: new Viewer(r) }), crashed);
