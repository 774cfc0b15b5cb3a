// The panel beside the picture: the user, the others, the connection, and how to make it worse.

import { Sparkline } from "./charts";
import type { Client, Part, Trouble } from "./client";
import { bytes, find, make, millis, say } from "./dom";
import { Meter } from "./meter";
import { nameOf } from "./names";
import type { Painter } from "./paint/painter";
import type { Pane } from "./pane";
import type { Records } from "./records";
import type { Theme } from "./theme";

const PEOPLE = 14; // named at most
const SCORES = 5;
const HEARD = 4;

const PRESETS: [string, Trouble][] = [
  ["none", { delay: 0, jitter: 0, shape: "exponential", loss: 0 }],
  ["wireless", { delay: 15, jitter: 10, shape: "exponential", loss: 0.01 }],
  ["mobile", { delay: 60, jitter: 30, shape: "pareto", loss: 0.02 }],
  ["far away", { delay: 150, jitter: 5, shape: "spike", loss: 0.01 }],
  ["awful", { delay: 250, jitter: 120, shape: "exponential", loss: 0.15 }],
];

export class Panel {
  trouble: Trouble = { ...PRESETS[0][1] };
  also?: Client; // another one, whose connection is to be as bad
  readonly meter: Meter;

  private part?: Part;
  private readonly spark = new Sparkline(find<SVGSVGElement>("#spark"));
  private readonly error = new Sparkline(find<SVGSVGElement>("#astray-curve"));
  private readonly sheet = find("#panel");
  private readonly inputs = {
    delay: find<HTMLInputElement>("#delay"), jitter: find<HTMLInputElement>("#jitter"),
    loss: find<HTMLInputElement>("#loss"), shape: find<HTMLSelectElement>("#shape"),
  };

  constructor(private readonly client: Client, private readonly theme: Theme) {
    this.meter = new Meter(client);
    this.buildTrouble();
    const sheet = find("#sheet");
    sheet.addEventListener("click", () => sheet.setAttribute("aria-expanded", String(this.sheet.classList.toggle("open"))));
  }

  // top is where on the page the sheet begins that covers the picture on a phone; the page's end where nothing is covered.
  get top(): number { return this.sheet.classList.contains("open") ? this.sheet.getBoundingClientRect().top || innerHeight : innerHeight; }

  private buildTrouble() {
    const presets = find("#presets");
    for (const [name, t] of PRESETS) {
      const chip = make("button", "", name);
      chip.type = "button";
      chip.addEventListener("click", () => this.worsen({ ...t }));
      presets.append(chip);
    }
    const { delay, jitter, loss, shape } = this.inputs;
    const read = () => this.worsen({ delay: +delay.value, jitter: +jitter.value, shape: shape.value, loss: +loss.value / 100 });
    for (const input of [delay, jitter, loss]) input.addEventListener("input", read);
    shape.addEventListener("change", read);
    this.worsen(this.trouble);
  }

  // worsen sets how bad the connection is, here and in the client.
  worsen(t: Trouble) {
    this.trouble = t;
    const { delay, jitter, loss, shape } = this.inputs;
    delay.value = String(t.delay);
    jitter.value = String(t.jitter);
    loss.value = String(Math.round(t.loss * 100));
    shape.value = t.shape;
    say(find("#delay-out"), `${t.delay} ms`);
    say(find("#jitter-out"), `${t.jitter} ms`);
    say(find("#loss-out"), `${Math.round(t.loss * 100)} %`);
    const same = (p: Trouble) => p.delay === t.delay && p.jitter === t.jitter && p.loss === t.loss && (p.jitter === 0 || p.shape === t.shape);
    find("#presets").querySelectorAll("button").forEach((chip, i) => chip.setAttribute("aria-pressed", String(same(PRESETS[i][1]))));
    find("#trouble").classList.toggle("on", !same(PRESETS[0][1]));
    this.client.worsen(t);
    this.also?.worsen(t);
  }

  // describe shows what stays the same while the user is in the world.
  describe(part: Part) {
    this.part = part;
    this.meter.reset();
    const { world, mechanism } = part;
    say(find("#title"), `${world.name} · ${mechanism}`);
    document.title = `throng · ${world.name}`;
    say(find("#help-mechanism"), mechanism);
    find<HTMLInputElement>("#ghosts").disabled = !part.ghosts;
    find("#ghosts-note").hidden = part.ghosts;
    find("#me-dot").style.setProperty("--colour", this.theme.userText(part.user));
    say(find("#me-name"), nameOf(part.user));
    say(find("#budget"), part.budget > 0 ? `of a budget of ${bytes(part.budget)}/s` : "no budget is set");
    find("#say").hidden = part.speech === undefined;
    find("#heard").hidden = part.speech === undefined;
  }

  // update shows how things stand. It is called twice a second.
  update(pane: Pane) {
    if (!this.part) return;
    const { records, painter } = pane;
    this.meter.look();
    const { meter } = this, { counts } = meter;
    this.showPeople(pane, painter!);
    this.showScores(records, painter!);
    this.showRates();
    this.showError(pane);
    say(find("#transport"), pane.connection.transport?.name ?? "nothing");
    say(find("#trip"), millis(counts.roundTrip));
    say(find("#response"), counts.applied > 0 ? millis(counts.response) : "–");
    say(find("#objects"), String(counts.objects));
    say(find("#applied"), `${counts.applied} · ${counts.observed}`);
    say(find("#late"), `${counts.late} · ${counts.dropped}`);
    find("#between-row").hidden = !pane.connection.meets;
    say(find("#between"), `${meter.share()} · ${counts.partners}`);
    const lost = counts.lostIn + counts.lostOut;
    say(find("#lost-note"), lost > 0 ? `${lost} datagrams lost on purpose so far` : "");
  }

  private showRates() {
    const { meter } = this, { counts } = meter, budget = this.part!.budget;
    if (!meter.ready) return;
    const received = meter.rate("bytesIn");
    say(find("#rate-in"), `${bytes(received)}/s`);
    say(find("#rate-out"), `${bytes(meter.rate("bytesOut"))}/s`);
    say(find("#rate-share"), budget > 0 ? `${Math.round((100 * received) / budget)} %` : "");
    say(find("#rollbacks"), meter.rollbacks());
    this.spark.add(received, budget);
    say(find("#brief"), `${millis(counts.roundTrip)} · ${bytes(received)}/s · ${counts.objects} objects`);
  }

  // showError says how far the picture is from what is certain, while ghosts are shown.
  private showError(pane: Pane) {
    const real = find<HTMLInputElement>("#truth").checked, off = real || find<HTMLInputElement>("#ghosts").checked ? pane.astray() : undefined;
    say(find("#astray-what"), real ? "Shown from the truth, on average" : "Shown from certain, on average");
    find("#astray-older").hidden = real; // the truth is of now
    find("#astray").hidden = !off;
    if (!off) return;
    const unit = this.part!.world.kinds[pane.painter!.avatar].variables.find((v) => v.name === "x")?.unit || "units";
    const far = (n: number) => `${n.toFixed(n < 10 ? 2 : 0)} ${unit}`;
    say(find("#astray-own"), off.own === undefined ? "–" : far(off.own));
    say(find("#astray-all"), far(off.all));
    say(find("#astray-time"), millis(Math.max(0, this.meter.counts.behind)));
    this.error.add(off.all, 0);
  }

  // showPeople lists those in the picture: persons first, then who is near.
  private showPeople(pane: Pane, painter: Painter) {
    const { records: r, camera } = pane, me = r.findOwn((k) => painter.embodies(k)), users = this.part!.users;
    const others: { i: number; far: number }[] = [], seen = new Set<number>();
    for (let i = 0; i < r.length; i++) {
      if (!painter.embodies(r.kind(i)) || i === me || !camera.sees(r.x(i), r.y(i), 0) || r.user(i) === this.part!.user || seen.has(r.user(i))) continue;
      seen.add(r.user(i));
      others.push({ i, far: (r.user(i) > users ? 0 : 1e9) + (me < 0 ? 0 : Math.hypot(r.x(i) - r.x(me), r.y(i) - r.y(me))) });
    }
    others.sort((a, b) => a.far - b.far);
    say(find("#here-count"), `${others.length} in view`);
    if (me >= 0) say(find("#me-name"), painter.nameOf(r, me));
    const items = others.slice(0, PEOPLE).map(({ i }) => {
      const person = r.user(i) > users, li = make("li", person ? "person" : ""), dot = make("i", "dot");
      dot.style.setProperty("--colour", this.theme.userText(r.user(i)));
      li.append(dot, painter.nameOf(r, i));
      li.title = person ? "a person" : "played by the computer";
      return li;
    });
    if (others.length > PEOPLE) items.push(make("li", "more", `and ${others.length - PEOPLE} more`));
    find("#people").replaceChildren(...items);
  }

  private showScores(r: Records, painter: Painter) {
    const scores = painter.scores(r), user = this.part!.user, what = this.part!.score ?? "";
    const place = scores.findIndex((s) => s.user === user);
    say(find("#me-score"), place >= 0 && what ? count(Math.floor(scores[place].value), what) : "");
    const list = find("#scores");
    list.hidden = scores.length < 2;
    if (list.hidden) return;
    const shown = scores.slice(0, SCORES);
    if (place >= SCORES) shown.push(scores[place]);
    list.replaceChildren(...shown.map((s) => {
      const li = make("li", s.user === user ? "own" : "");
      const dot = make("i", "dot");
      dot.style.setProperty("--colour", this.theme.userText(s.user));
      li.append(dot, make("span", "", s.user === user ? "You" : nameOf(s.user)), make("span", "", String(Math.floor(s.value))));
      return li;
    }));
  }

  // hear notes what somebody said.
  hear(name: string, text: string) {
    const list = find("#heard"), li = make("li");
    li.append(make("b", "", `${name}: `), text);
    list.prepend(li);
    while (list.children.length > HEARD) list.lastChild!.remove();
  }

  // count shows how many there are in all, as the server says.
  count(people: number, artificial: number) {
    const others = artificial > 0 ? ` and ${artificial} played by the computer` : "";
    say(find("#crowd-size"), `In all: ${people} ${people === 1 ? "person" : "people"}${others}`);
  }
}

// count puts a number before a plural.
function count(n: number, plural: string): string {
  return `${n} ${n === 1 ? plural.replace(/s$/, "") : plural}`;
}
