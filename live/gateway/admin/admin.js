"use strict";

// The operators' overview: asks for the numbers every two seconds and draws them. Whatever comes from outside, such as names,
// only ever becomes text.

const every = 2000;
const samplesMin = 24; // how many a chart has room for at least

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

// chart draws up to two lines over the samples. Both share a scale, which begins at zero.
function chart(spec, overview) {
  const samples = overview.samples;
  const figure = element("figure");
  const last = samples.length ? spec.show(spec.lines[0][1](samples[samples.length - 1])) : "–";
  const caption = element("figcaption");
  caption.append(element("span", spec.title), element("b", last));
  const width = Math.max(samples.length, samplesMin) - 1;
  const svg = drawing("svg", { viewBox: `0 0 ${width} 100`, preserveAspectRatio: "none", role: "img" });
  const series = spec.lines.map(([, value]) => samples.map(value));
  const limit = spec.limit ? spec.limit(overview) : 0;
  const top = Math.max(limit, 1e-9, ...series.flat()) * 1.05;
  const y = (v) => (100 - (100 * v) / top).toFixed(1);
  if (limit) svg.append(drawing("line", { class: "limit", x1: 0, x2: width, y1: y(limit), y2: y(limit) }));
  series.forEach((values, i) => {
    const points = values.map((v, at) => `${width + 1 - values.length + at},${y(v)}`).join(" ");
    svg.append(drawing("polyline", { points, class: i ? "second" : "first" }));
  });
  const key = element("div", undefined, "key");
  for (const [name] of spec.lines) key.append(element("i", name));
  if (limit) key.append(` · dashed: a tick (${millis(limit)})`);
  figure.append(caption, svg, key);
  return figure;
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
  document.getElementById("world").textContent = `${o.world}, shared by ${o.mechanism} · up ${duration(o.up)}`;
  document.getElementById("charts").replaceChildren(...charts.map((spec) => chart(spec, o)));
  fill("now", [
    [text("World's time"), number(o.time, duration)],
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
  fill("clients", o.clients.map((c) => [
    number(c.node, String), number(c.user, String), text(c.name), text(c.host), text(c.by), number(c.since, duration),
    number(c.bytes_in, bytes), number(c.bytes_out, bytes), number(c.waiting, bytes), number(c.dropped),
  ]), ["node", "user", "name", "address", "by", "since", "from it", "to it", "waiting", "dropped"]);
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
  } catch (problem) {
    state.textContent = `no answer: ${problem.message}`;
  }
  state.className = state.textContent ? "trouble" : "";
  setTimeout(refresh, every);
}

refresh();
