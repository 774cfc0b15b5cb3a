// The page for recordings: several hosts' views over each other, and curves.

import { Camera } from "./camera";
import { Curves, type Drawn } from "./curves";
import { bytes, find, make, say } from "./dom";
import { Events } from "./events";
import { Inspector, trackColour, trackName } from "./inspect";
import { Unavailable, progressText, type Progress } from "./module";
import { Packets } from "./packets";
import { Recording, type About, type Track } from "./recording";
import { Scene } from "./scene";
import { Sequence } from "./sequence";
import { Theme } from "./theme";
import { typing } from "./controls";

const WHEEL = 0.0016;
const CLICK = 5; // px that a pointer may move in a click
const LIST = "/api/recordings";

class Viewer {
  private readonly theme = new Theme();
  private readonly camera = new Camera();
  private readonly canvas = find<HTMLCanvasElement>("#world");
  private readonly texts = find<HTMLCanvasElement>("#texts");
  private readonly curves = new Curves(find("#curves"), this.theme, (s) => this.seek(s * 1000), () => (this.dirty = true));
  private readonly packets = new Packets(find<HTMLCanvasElement>("#packets-strip"), this.theme, (share) => this.seek(share * this.end));
  private readonly sequence = new Sequence((ms) => this.seek(ms));
  private readonly events = new Events(find("#events"), (ms) => this.seek(ms));
  private readonly scrub = find<HTMLInputElement>("#scrub");
  private readonly speed = find<HTMLSelectElement>("#speed");

  private readonly inspector: Inspector;
  private readonly main: Scene;
  private beside?: Scene; // another recording, in step
  private at = 0; // ms
  private playing = false;
  private dirty = true;
  private last = 0;

  constructor(private readonly recording: Recording) {
    this.inspector = new Inspector(recording, () => (this.dirty = true));
    this.main = new Scene(recording, [this.canvas, this.texts], this.camera, this.theme, this.plain);
    this.wire();
    requestAnimationFrame((t) => this.frame(t));
    const query = new URLSearchParams(location.search), name = query.get("recording"), url = query.get("url");
    if (name) this.fetch(addressOf(name), name);
    else if (url) this.fetch(url, url);
    else this.empty();
  }

  private get about(): About | undefined { return this.main.about; }
  private get chosen(): number[] { return this.main.chosen; }
  private get plain(): boolean { return new URLSearchParams(location.search).has("plain"); }
  private get scenes(): Scene[] { return this.beside?.about ? [this.main, this.beside] : [this.main]; }

  private wire() {
    find("#play").addEventListener("click", () => this.play(!this.playing));
    find("#back").addEventListener("click", () => this.step(-1));
    find("#on").addEventListener("click", () => this.step(1));
    find("#event-back").addEventListener("click", () => this.stepEvent(-1));
    find("#event-on").addEventListener("click", () => this.stepEvent(1));
    find("#link").addEventListener("click", () => navigator.clipboard?.writeText(location.href));
    find<HTMLSelectElement>("#beside").addEventListener("change", (e) => this.lay((e.target as HTMLSelectElement).value));
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
    find("#list").replaceChildren(...(await this.names()).map(({ name, size }) => {
      const item = make("li"), link = make("a", "", name);
      link.href = `/view?recording=${encodeURIComponent(name)}`;
      link.append(make("span", "", bytes(size)));
      item.append(link);
      return item;
    }));
  }

  // names are the recordings that the server has.
  private async names(): Promise<{ name: string; size: number }[]> {
    const reply = await fetch(LIST).catch(() => undefined);
    return reply?.ok && reply.headers.get("Content-Type")?.includes("json") ? reply.json() : [];
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
    this.play(false);
    const about = this.main.open(content), { bounds } = about.world;
    this.state("ready");
    this.camera.resize([this.canvas, this.texts]);
    this.camera.show(bounds);
    this.camera.follow((bounds[0] + bounds[2]) / 2, (bounds[1] + bounds[3]) / 2, 0);
    say(find("#title"), `${about.world.name} · ${about.mechanism}`);
    document.title = `throng · ${about.world.name} under ${about.mechanism}`;
    const live = about.began ? `recorded live, from ${new Date(about.began).toLocaleString()}` : `${about.network} network`;
    say(find("#about"), `${live}, seed ${about.seed}, ${about.tracks.length} views, ${about.frames} frames`);
    say(find("#damage"), about.damage ?? "");
    find("#params").replaceChildren(...about.params.map((p) => make("li", "", p)));
    this.scrub.max = String(this.end);
    this.scrub.step = "any";
    say(find("#length"), `/ ${seconds(this.end)}`);
    this.listTracks(about.tracks);
    this.events.show(about.events, about.causes, this.end);
    this.packets.show(this.recording);
    this.sequence.show(this.recording, about);
    this.inspector.length = this.end;
    const hash = new URLSearchParams(location.hash.slice(1)), object = hash.get("object");
    this.curves.chosen = hash.get("curves")?.split(",") ?? [];
    this.drawCurves();
    this.inspector.choose(object && /^\d+$/.test(object) ? BigInt(object) : undefined);
    this.seek(Number(hash.get("t") ?? 0) * 1000 || 0);
    this.offer();
  }

  // curvesOf are all measures of a recording.
  private curvesOf({ about, recording }: Scene): Drawn | undefined {
    return about && about.curves.length > 0 ? { labels: about.curves, values: recording.curves(about.curves.length), span: about.span / 1000, warmup: about.warmup / 1000 } : undefined;
  }

  private drawCurves() {
    const own = this.curvesOf(this.main);
    if (own) this.curves.show(own, this.beside && this.curvesOf(this.beside));
  }

  // offer lists the other recordings that this one can be laid beside.
  private async offer() {
    const names = (await this.names()).map(({ name }) => name), query = new URLSearchParams(location.search), beside = query.get("beside") ?? "";
    find("#besides").hidden = names.length < 2;
    find("#beside").replaceChildren(make("option", "", ""), ...names.filter((n) => n !== query.get("recording")).map((n) => make("option", "", n)));
    find<HTMLSelectElement>("#beside").value = beside;
    if (beside && !this.beside) this.lay(beside);
  }

  // lay shows another recording beside this one, in step with it; none for an empty name.
  private async lay(name: string) {
    const query = new URLSearchParams(location.search), stage = find("#stage"), canvases = ["#world-beside", "#texts-beside"].map((id) => find<HTMLCanvasElement>(id));
    if (name) query.set("beside", name);
    else query.delete("beside");
    history.replaceState(null, "", `?${query}${location.hash}`);
    this.beside = undefined;
    let scene: Scene | undefined;
    if (name) {
      const reply = await fetch(addressOf(name));
      if (!reply.ok) return say(find("#damage"), `${name} cannot be had (${reply.status})`);
      const content = new Uint8Array(await reply.arrayBuffer()), recording = await Recording.load(() => {}, crashed);
      for (const c of canvases) c.hidden = false;
      scene = new Scene(recording, canvases, this.camera, this.theme, this.plain);
      const about = scene.open(content);
      say(find("#beside-title"), `${about.world.name} · ${about.mechanism}`);
    }
    this.beside = scene;
    for (const c of canvases) c.hidden = !scene;
    stage.classList.toggle("split", !!scene);
    this.drawCurves();
    this.dirty = true;
  }

  // stepEvent goes to the event before or after this moment.
  private stepEvent(by: number) {
    const times = this.about!.events.map((e) => e.at).sort((a, b) => a - b), next = by > 0 ? times.find((t) => t > this.at + 0.5) : times.filter((t) => t < this.at - 0.5).pop();
    this.play(false);
    if (next !== undefined) this.seek(next);
  }

  // mark has the address lead to this moment, and to the object that is looked at.
  private mark() {
    const object = this.inspector.id === undefined ? "" : `&object=${this.inspector.id}`;
    const hash = `#t=${(this.at / 1000).toFixed(3)}${object}${this.curves.chosen.length > 0 ? `&curves=${this.curves.chosen.join(",")}` : ""}`;
    if (location.hash !== hash) history.replaceState(null, "", hash);
  }

  private get end(): number {
    return this.main.end;
  }

  private listTracks(tracks: Track[]) {
    find("#tracks").replaceChildren(...tracks.map((t, i) => {
      const item = make("li"), label = make("label"), box = make("input");
      box.type = "checkbox";
      box.checked = this.chosen.includes(i);
      box.addEventListener("change", () => {
        this.main.choose(i, box.checked);
        this.dirty = true;
      });
      label.style.setProperty("--colour", this.theme.text(trackColour(t)));
      label.append(box, trackName(t));
      if (t.role !== "truth") label.append(make("span", "note", `node ${t.node}`));
      item.append(label);
      return item;
    }));
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
    this.dirty = this.camera.resize(this.scenes.flatMap((s) => s.canvases)) || this.dirty;
    if (this.playing) {
      this.seek(this.at + passed * +this.speed.value);
      if (this.at >= this.end) this.play(false);
    }
    if (!this.about || !this.dirty) return;
    this.dirty = false;
    try {
      this.camera.follow(this.camera.x, this.camera.y, 0);
      for (const scene of this.scenes) scene.paint(this.at, time / 1000, scene === this.main ? this.inspector : undefined);
    } catch (e) {
      this.play(false);
      this.main.about = undefined;
      this.empty((e as Error).message);
      return;
    }
    this.scrub.value = String(this.at);
    say(find("#time"), seconds(this.at));
    this.curves.follow(this.at / 1000);
    this.sequence.follow(this.at, this.chosen);
    if (!this.playing) this.mark();
  }

  // somewhere is an object in the picture and where on the page it is, for tests.
  somewhere(): [string, number, number] {
    const r = this.recording.list(this.chosen[0]), box = this.canvas.getBoundingClientRect();
    const [x, y] = this.camera.toPage(r.x(0), r.y(0));
    return [r.id(0).toString(), box.left + x, box.top + y];
  }

  // look is for those who want to know from outside, such as tests.
  look() {
    return { about: this.about, at: this.at, playing: this.playing, chosen: this.chosen, marks: this.main.marks.count, beside: this.beside?.about?.mechanism, curves: this.curves.chosen, object: this.inspector.id?.toString() };
  }
}

function addressOf(name: string): string {
  return `${LIST}/${name.split("/").map(encodeURIComponent).join("/")}`;
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
