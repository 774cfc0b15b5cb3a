"use strict";

// The operators' overview: asks for the numbers every two seconds and draws them. Whatever comes from outside, such as names,
// only ever becomes text.

const every = 2000;

const count = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });
const whole = (n) => count.format(n);
const millis = (n) => fine.format(n) + " ms";

function bytes(n) {
  for (const unit of ["B", "KB", "MB", "GB"]) {
    if (n < 1000 || unit === "GB") return fine.format(n) + " " + unit;
    n /= 1000;
  }
}

function duration(seconds) {
  const units = [["d", 86400], ["h", 3600], ["min", 60]];
  for (const [name, size] of units) {
    if (seconds >= 2 * size) return whole(Math.floor(seconds / size)) + " " + name;
  }
  return whole(seconds) + " s";
}

const charts = [
  { title: "Users", lines: [["people", (s) => s.people], ["artificial", (s) => s.artificial]], show: whole },
  { title: "Server tick", lines: [["mean", (s) => s.tick_mean], ["longest", (s) => s.tick_max]], show: millis, limit: (o) => o.tick },
  { title: "Lateness of ticks", lines: [["latest", (s) => s.late_max]], show: millis, limit: (o) => o.tick },
  { title: "Bytes per second", lines: [["to clients", (s) => s.bytes[1]], ["from clients", (s) => s.bytes[0]]], show: bytes },
  { title: "Datagrams per second", lines: [["to clients", (s) => s.datagrams[1]], ["from clients", (s) => s.datagrams[0]]], show: whole },
  { title: "Dropped per second", lines: [["datagrams", (s) => s.dropped]], show: whole },
  { title: "Waiting for nodes", lines: [["datagrams", (s) => s.queue]], show: whole },
  { title: "Waiting for clients", lines: [["bytes", (s) => s.waiting]], show: bytes },
];

function element(name, text, className) {
  const e = document.createElement(name);
  if (text !== undefined) e.textContent = text;
  if (className) e.className = className;
  return e;
}

function drawing(name, attributes) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  return e;
}

const clock = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false });
let spanShown = 1200; // seconds that charts show

// ceiling is the next number above one that is easy to read.
function ceiling(v) {
  const power = 10 ** Math.floor(Math.log10(v));
  return [1, 2, 2.5, 5, 10].map((n) => n * power).find((n) => n >= v * 0.999) ?? 10 * power;
}

// chart draws up to two lines over time, on a scale that begins at zero, and reads out what is under the pointer.
function chart(spec, overview) {
  const last = overview.samples.at(-1)?.at ?? 0, from = last - spanShown * 1000;
  const samples = overview.samples.filter((s) => s.at >= from);
  const figure = element("figure"), caption = element("figcaption"), readout = element("b", samples.length ? spec.show(spec.lines[0][1](samples.at(-1))) : "–");
  caption.append(element("span", spec.title), readout);
  const svg = drawing("svg", { viewBox: "0 0 300 110", preserveAspectRatio: "none", role: "img", tabindex: 0,
    "aria-label": `${spec.title}: ${spec.lines.map(([name, value]) => `${name} ${samples.length ? spec.show(value(samples.at(-1))) : "unknown"}`).join(", ")}` });
  const limit = spec.limit ? spec.limit(overview) : 0, series = spec.lines.map(([, value]) => samples.map(value));
  const top = ceiling(Math.max(limit, 1e-9, ...series.flat()));
  const x = (at) => (300 * (at - from)) / (spanShown * 1000), y = (v) => 105 - (100 * v) / top;
  for (const share of [0, 0.5, 1]) svg.append(drawing("line", { class: "grid", x1: 0, x2: 300, y1: y(top * share), y2: y(top * share) }));
  if (limit) svg.append(drawing("line", { class: "limit", x1: 0, x2: 300, y1: y(limit), y2: y(limit) }));
  series.forEach((values, i) => svg.append(drawing("polyline", { points: values.map((v, k) => `${x(samples[k].at).toFixed(1)},${y(v).toFixed(1)}`).join(" "), class: i ? "second" : "first" })));
  const cursor = drawing("line", { class: "cursor", y1: 5, y2: 105, visibility: "hidden" });
  svg.append(cursor);
  const axis = element("div", undefined, "axis"), plot = element("div", undefined, "plot");
  axis.append(...[1, 0.5, 0].map((share) => element("span", spec.show(top * share))));
  plot.append(axis, svg);
  const times = element("div", undefined, "times");
  times.append(element("span", clock.format(from)), element("span", clock.format(last)));
  const key = element("div", undefined, "key");
  for (const [name] of spec.lines) key.append(element("i", name));
  if (limit) key.append(` · dashed: a tick (${millis(limit)})`);
  let shown = samples.length - 1;
  const read = (k) => {
    shown = Math.max(0, Math.min(samples.length - 1, k));
    const s = samples[shown];
    if (!s) return;
    cursor.setAttribute("visibility", "visible");
    for (const end of ["x1", "x2"]) cursor.setAttribute(end, x(s.at));
    readout.textContent = `${clock.format(s.at)}: ${spec.lines.map(([, value]) => spec.show(value(s))).join(" · ")}`;
    held = true;
  };
  svg.addEventListener("pointermove", (e) => {
    const box = svg.getBoundingClientRect(), at = from + ((e.clientX - box.left) / box.width) * spanShown * 1000;
    read(samples.reduce((best, s, k) => (Math.abs(s.at - at) < Math.abs(samples[best].at - at) ? k : best), 0));
  });
  svg.addEventListener("keydown", (e) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
    if (step) read(shown + step);
  });
  for (const end of ["pointerleave", "blur"]) svg.addEventListener(end, () => { held = false; });
  figure.append(caption, plot, times, key);
  return figure;
}

let held = false; // somebody reads a chart: it is not drawn anew meanwhile

// order has the server do something, and says what came of it.
async function order(path, body) {
  const said = document.getElementById("said");
  try {
    const response = await fetch(`api/${path}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    const answer = await response.json();
    said.textContent = response.ok ? `done: ${path} ${JSON.stringify(answer)}` : `${path}: ${answer.error}`;
    return response.ok;
  } catch (problem) {
    said.textContent = `${path}: ${problem.message}`;
    return false;
  }
}

// The list of people: searched, sorted by any column, and of ten thousand only so many drawn as can be read.
const peopleShown = 100;
const columns = [["user", (p) => p.user, String], ["name", (p) => p.name], ["account", (p) => p.account ?? ""], ["state", (p) => p.state], ["address", (p) => p.host ?? ""], ["by", (p) => p.by ?? ""],
  ["since", (p) => p.since ?? 0, duration], ["from it", (p) => p.bytes_in ?? 0, bytes], ["to it", (p) => p.bytes_out ?? 0, bytes], ["waiting", (p) => p.waiting ?? 0, bytes], ["dropped", (p) => p.dropped ?? 0, whole]];
let people = [], sortBy = 10, upwards = false;

function showPeople() {
  const wanted = document.getElementById("find").value.toLowerCase(), value = columns[sortBy][1];
  const found = people.filter((p) => columns.some(([, of]) => String(of(p)).toLowerCase().includes(wanted)));
  found.sort((a, b) => (upwards ? 1 : -1) * (typeof value(a) === "number" ? value(a) - value(b) : value(a).localeCompare(value(b))) || a.user - b.user);
  document.getElementById("found").textContent = `${whole(found.length)} of ${whole(people.length)}${found.length > peopleShown ? `, the first ${peopleShown} shown` : ""}`;
  const head = element("tr");
  columns.forEach(([name], i) => {
    const th = element("th", undefined, columns[i][2] ? "number" : ""), button = element("button", name);
    th.setAttribute("aria-sort", i !== sortBy ? "none" : upwards ? "ascending" : "descending");
    button.addEventListener("click", () => {
      [sortBy, upwards] = [i, i === sortBy ? !upwards : typeof columns[i][1](people[0] ?? {}) !== "number"];
      showPeople();
    });
    th.append(button);
    head.append(th);
  });
  head.prepend(element("th", "orders"));
  const rows = found.slice(0, peopleShown).map((p) => {
    const tr = element("tr"), orders = element("td");
    for (const [, of, show] of columns) tr.append(element("td", show ? show(of(p)) : of(p), show ? "number" : ""));
    for (const [name, act] of [["inspect", () => inspect(`objects?user=${p.user}`)], ["message", () => tell(p.user)], ["kick", () => confirm(`Show ${p.name || "user " + p.user} out?`) && order("kick", { user: p.user, reason: "" }).then(refreshPeople)]]) {
      const button = element("button", name);
      button.setAttribute("aria-label", `${name} ${p.name || ""} ${p.user}`);
      button.addEventListener("click", act);
      orders.append(button);
    }
    tr.prepend(orders); // first, where a phone shows them
    return tr;
  });
  document.getElementById("clients").replaceChildren(head, ...rows);
}

async function refreshPeople() {
  const response = await fetch("api/people").catch(() => undefined);
  if (!response?.ok) return;
  people = await response.json();
  if (!document.getElementById("clients").contains(document.activeElement)) showPeople();
}

// tell asks for words and has one, or everybody, be told.
function tell(user) {
  const text = prompt(user ? `What is user ${user} to be told?` : "What is everybody to be told?");
  if (text) order("message", { text, user });
}

// inspect shows objects as servers have them.
async function inspect(path) {
  const response = await fetch(`api/${path}`), out = document.getElementById("inspected");
  out.textContent = JSON.stringify(await response.json(), null, 1);
  out.scrollIntoView({ block: "nearest" });
}

// alerts are what docs/serving.md calls trouble.
function alerts(o) {
  const now = o.samples.at(-1), list = [];
  const say = (when, text) => when && list.push(text);
  say(o.broken, o.broken);
  say(o.panics > 0, `${whole(o.panics)} panics of nodes: bugs, listed below`);
  say(o.busy, "servers do not keep up, and nobody is let in");
  say(o.slowed > 1, `servers have slowed down: updates take ${fine.format(o.slowed)} times as long`);
  say(now && now.late_max > o.tick, `ticks begin up to ${millis(now.late_max)} late, more than a tick`);
  say(now && now.tick_max > o.tick, `a tick took ${millis(now.tick_max)}, longer than a tick is`);
  say(now && now.dropped > 0, `${whole(now.dropped)} datagrams a second are dropped`);
  say(now && now.waiting > 1e6, `${bytes(now.waiting)} wait for slow clients`);
  return list;
}

// fill writes rows into a table; cells that are numbers stand on the right.
function fill(id, rows, head) {
  const table = document.getElementById(id);
  const lines = rows.map((row) => {
    const tr = element("tr");
    for (const [value, text] of row) tr.append(element("td", text, typeof value === "number" ? "number" : ""));
    return tr;
  });
  if (head) {
    const tr = element("tr");
    head.forEach((name, i) => tr.append(element("th", name, rows.length && typeof rows[0][i][0] === "number" ? "number" : "")));
    lines.unshift(tr);
  }
  table.replaceChildren(...lines);
}

const text = (s) => [s, s];
const number = (n, show = whole) => [n, show(n)];
const counts = (object) => Object.keys(object).sort().map((key) => [text(key), number(object[key])]);

let before = {}; // how long each node had worked when it was last looked at, and when that was

// busiest lists servers' nodes with the share of the time that each has worked since the last look.
function busiest(o) {
  const passed = o.up - (before.up ?? o.up);
  const rows = o.nodes.map((n) => {
    const worked = n.busy - (before[n.node] ?? n.busy);
    return [number(n.node, String), text(n.role), number(passed > 0 ? worked / passed : n.share, share), number(n.share, share),
      number(n.handled), number(n.queue), number(n.dropped)];
  });
  before = Object.fromEntries(o.nodes.map((n) => [n.node, n.busy]));
  before.up = o.up;
  return rows;
}

const share = (n) => whole(100 * n) + "%";

// panics shows the last ones, the newest first, if there are more than were shown.
let panicsShown = 0;
async function panics(o) {
  if (o.panics === panicsShown) return;
  const response = await fetch("panics");
  if (!response.ok) throw new Error(await response.text());
  const list = await response.json();
  fill("panics", list.reverse().map((p) => [text(p.at), number(p.node, String), text(p.role), text(p.what), text(p.from ? `a datagram from ${p.from}` : "a wake-up"), text(p.outcome)]),
    ["when", "node", "role", "what", "by", "the node"]);
  document.getElementById("panicked").hidden = list.length === 0;
  panicsShown = o.panics;
}

// trouble is what an operator should know first.
function trouble(o) {
  if (o.draining) return "going down";
  if (o.broken) return o.broken;
  const slow = o.slowed > 1 ? `slowed down: updates take ${fine.format(o.slowed)} times as long` : "";
  if (o.busy) return "overloaded, nobody is let in" + (slow && "; " + slow);
  return slow;
}

function show(o) {
  document.getElementById("world").textContent = `${o.room ? o.room + ": " : ""}${o.world}, shared by ${o.mechanism} · up ${duration(o.up)}`;
  const list = alerts(o), now = o.samples.at(-1);
  document.getElementById("alerts").replaceChildren(...list.map((text) => element("li", text)));
  document.getElementById("alerted").hidden = list.length === 0;
  document.getElementById("drain").setAttribute("aria-pressed", String(o.shut ?? o.draining));
  if (!held) document.getElementById("charts").replaceChildren(...charts.map((spec) => chart(spec, o)));
  fill("now", [
    [text("World's time"), number(o.time, duration)],
    ...(now ? [[text("People here"), number(now.people)], [text("People away, awaited"), number(now.away)], [text("Artificial players"), number(now.artificial)]] : []),
    [text("Server nodes"), number(o.servers)],
    [text("Time between updates"), number(o.slowed, (n) => "× " + fine.format(n))],
    [text("Panics of nodes"), number(o.panics)],
    ...counts(o.open),
    [text("Memory"), number(o.memory, bytes)],
    [text("Goroutines"), number(o.routines)],
  ]);
  fill("nodes", busiest(o), ["node", "role", "at work", "since the start", "received", "waiting", "dropped"]);
  fill("drops", counts(o.drops));
  fill("ended", counts(o.ended));
  fill("processes", o.processes.map((p) => [number(p.number, String), text(p.name), text(p.nodes), text(p.state)]),
    ["process", "name", "server nodes", "state"]);
}

async function refresh() {
  const state = document.getElementById("state");
  try {
    const response = await fetch("data");
    if (!response.ok) throw new Error(await response.text());
    const overview = await response.json();
    show(overview);
    state.textContent = trouble(overview);
    await panics(overview);
    await refreshPeople();
  } catch (problem) {
    state.textContent = `no answer: ${problem.message}`;
  }
  state.className = state.textContent ? "trouble" : "";
  setTimeout(refresh, every);
}

document.getElementById("find").addEventListener("input", showPeople);
document.getElementById("span").addEventListener("change", (e) => { spanShown = +e.target.value; });
document.getElementById("message").addEventListener("click", () => tell(0));
document.getElementById("drain").addEventListener("click", (e) => order("drain", { drain: e.target.getAttribute("aria-pressed") !== "true" }));
document.getElementById("save").addEventListener("click", () => order("save", {}));
document.getElementById("look").addEventListener("submit", (e) => {
  e.preventDefault();
  inspect(`objects/${encodeURIComponent(document.getElementById("object").value)}`);
});
refresh();
