// What must work in a real browser. Every test has a server of its own; none waits for anything but conditions.

import assert from "node:assert/strict";

import { accessible } from "./accessible.mjs";
import { freePort, inWorld, look, moved, state, text, until } from "./harness.mjs";

const { RECORDING: recording, RECORDINGS: recordings, OWN: own, REPORT: report } = process.env;

// small is a crowd in which all see all.
const small = ["--world", "crowd", "--set", "world.walkers=12", "--set", "world.mode=dense"];

export const tests = {
  // Somebody opens the address and is in the world, on a laptop and on a phone.
  async join(stage) {
    const url = await stage.serve();
    const page = await stage.join(url);
    await text(page, "#title", /crowd · central/);
    await text(page, "#state", /connected/);
    await text(page, "#here-count", /[1-9]\d* in view/);
    await until(page, () => document.querySelectorAll("#people li").length > 0);
    await stage.picture(page, "laptop");
    for (const when of ["with a client that may have to be compiled", "from the browser's cache"]) {
      const [painted, entered] = await page.evaluate(() =>
        ["first-contentful-paint", "in-world"].map((name) => performance.getEntriesByName(name)[0]?.startTime ?? NaN));
      console.log(`${when}: first paint after ${Math.round(painted)} ms, in the world after ${Math.round(entered)} ms`);
      await page.reload();
      await inWorld(page);
    }
    const phone = await stage.join(url, { width: 390, height: 844, dark: true });
    await stage.picture(phone, "phone");
    await phone.tap("#sheet");
    await phone.waitForSelector("#trouble", { state: "visible" });
    await until(phone, () => { // the sheet hides much, but not who one is
      const { bodies, camera } = throng.look(), me = bodies.find((b) => b.own);
      return camera.toPage(me.x, me.y)[1] < document.querySelector("#panel").getBoundingClientRect().top - 10;
    });
    await stage.picture(phone, "phone-panel");
  },

  // Keys, clicks and a finger move the user's walker.
  async move(stage) {
    const page = await stage.join(await stage.serve(...small));
    let { me, part } = await look(page);
    const [, , width, height] = part.world.bounds;
    const inwards = (at, size, by) => at > size / 2 ? -by : by; // there is room for that
    const right = inwards(me.x, width, 1), key = right > 0 ? "KeyD" : "KeyA";
    await page.keyboard.down(key);
    await moved(page, me.x, "x", right);
    await page.keyboard.up(key);
    await until(page, () => Number(document.querySelector("#applied").textContent.split(" ")[0]) > 0);
    ({ me } = await look(page));
    const to = await page.evaluate(([x, y]) => throng.look().camera.toPage(x, y), [me.x, me.y + inwards(me.y, height, 4)]);
    await page.mouse.click(...to);
    await moved(page, me.y, "y", inwards(me.y, height, 3));
    await stage.picture(page, "arrived");
    ({ me } = await look(page));
    const left = inwards(me.x, width, 1);
    await page.mouse.move(400, 400);
    await page.mouse.down();
    await page.mouse.move(400 + 80 * left, 400, { steps: 4 });
    await moved(page, me.x, "x", left);
    await stage.picture(page, "drag");
    await page.mouse.up();
  },

  // Others move without anybody's doing.
  async others(stage) {
    const page = await stage.join(await stage.serve("--world", "swarm"));
    const { bodies } = await look(page);
    await until(page, (before) => {
      const now = new Map(throng.look().bodies.map((b) => [b.user, b]));
      return before.filter((b) => !b.own && now.has(b.user) && Math.hypot(now.get(b.user).x - b.x, now.get(b.user).y - b.y) > 20).length >= 3;
    }, bodies);
    await page.click("#pilot");
    await until(page, () => throng.look().counts.acts > 2);
    await stage.picture(page, "swarm");
  },

  // The connection goes and comes back, and so does the page; the user stays the same.
  async resume(stage) {
    const sockets = new Set();
    let cut = false;
    const url = await stage.serve(...small);
    const page = await stage.join(`${url}/?transport=websocket`, {
      before: (page) => page.routeWebSocket(/\/ws$/, (socket) => {
        if (cut) return socket.close();
        socket.connectToServer();
        sockets.add(socket);
      }),
    });
    const { part } = await look(page);
    cut = true;
    for (const socket of sockets) await socket.close();
    await state(page, "lost");
    await text(page, "#notice", /connection is lost/);
    assert.ok((await look(page)).me, "the world went away with the connection");
    await stage.picture(page, "lost");
    cut = false;
    await state(page, "in");
    await page.waitForSelector("#notice", { state: "hidden" });
    const resumed = await look(page);
    assert.deepEqual([resumed.part.user, resumed.part.epoch], [part.user, part.epoch], "another user, or another node");

    const before = resumed.me;
    await page.reload();
    await inWorld(page);
    const reloaded = await look(page);
    assert.equal(reloaded.part.user, part.user, "another user after loading the page again");
    assert.ok(Math.hypot(reloaded.me.x - before.x, reloaded.me.y - before.y) < 5, "the walker is elsewhere");

    // A token that the server does not know, such as an earlier one's, is no reason to stay outside.
    await page.evaluate(() => sessionStorage.setItem("throng.seat", sessionStorage.getItem("throng.seat").replace(/"token":"[^"]*"/, '"token":"old"')));
    await page.reload();
    await inWorld(page);
    assert.notEqual((await look(page)).part.user, part.user, "the seat of somebody else");
  },

  // Two people see each other, and hear.
  async meet(stage) {
    const url = await stage.serve(...small);
    const one = await stage.join(url), other = await stage.join(url);
    const { me, part } = await look(other);
    await until(one, (user) => throng.look().bodies.some((b) => b.user === user), part.user);
    const right = me.x < 20 ? 1 : -1, key = right > 0 ? "KeyD" : "KeyA";
    await other.keyboard.down(key);
    await until(one, ([user, x, right]) => throng.look().bodies.some((b) => b.user === user && (b.x - x) * right > 1), [part.user, me.x, right]);
    await other.keyboard.up(key);
    await other.keyboard.press("Enter");
    await other.keyboard.type("Is anybody there?");
    await other.keyboard.press("Enter");
    await text(one, "#heard", /Is anybody there\?/);
    await text(other, "#heard", /You: Is anybody there\?/);
    await stage.picture(one, "heard");
  },

  // Bees under optimistic on a line with 150 ms each way: own actions show at once, others' come late and are put right.
  async rollback(stage) {
    const page = await stage.join(await stage.serve("--world", "swarm", "--mechanism", "optimistic"));
    await page.fill("#delay", "150");
    await until(page, () => throng.look().counts.roundTrip > 290e6);
    await until(page, () => throng.look().counts.rollbacks > 10);
    await text(page, "#rollbacks", /\/s of/);
    const acts = (await look(page)).counts.applied;
    await page.keyboard.down("KeyW");
    await until(page, (acts) => throng.look().counts.applied > acts, acts);
    await page.keyboard.up("KeyW");
    assert.ok((await look(page)).counts.response < 100e6, "own actions wait for the network");
    await stage.picture(page, "delayed");
  },

  // A connection made worse is felt, and shown.
  async trouble(stage) {
    const page = await stage.join(await stage.serve("--world", "swarm"));
    await page.getByRole("button", { name: "awful" }).click();
    await until(page, () => throng.look().counts.roundTrip > 400e6 && throng.look().counts.lostIn > 0);
    await text(page, "#lost-note", /lost on purpose/);
    await stage.picture(page, "awful");
    await page.getByRole("button", { name: "none" }).click();
    await until(page, () => throng.look().counts.roundTrip < 250e6);
  },

  // Datagrams where the browser has them, a WebSocket where it is asked for.
  async transport(stage) {
    const url = await stage.serve(...small);
    for (const [query, name] of [["", /WebTransport/], ["?transport=websocket", /WebSocket/]]) {
      await text(await stage.join(`${url}/${query}`), "#transport", name);
    }
  },

  // Until there is a client the page says how far it is, and then goes on by itself.
  async compiling(stage) {
    const url = await stage.serve(...small);
    let wait = true;
    const page = await stage.open(url, {
      before: (page) => page.route("**/client.wasm", (route) => wait
        ? route.fulfill({ status: 503, json: { compiling: "throng/worlds/crowd", packages: 42 } }) : route.continue()),
    });
    await text(page, "#joining", /Compiling the page: throng\/worlds\/crowd \(42\)/);
    await stage.picture(page, "progress");
    wait = false;
    await inWorld(page);
    const other = await stage.open(url, {
      before: (page) => page.route("**/client.wasm", (route) => route.fulfill({ status: 500, json: { failed: "there is no Go toolchain here" } })),
    });
    await text(other, "#notice", /could not be compiled.*There is no Go toolchain here/);
    await stage.picture(other, "failed");
  },

  // Somebody looks at how the world is shared, changes that while playing, and plays two ways side by side on equally bad connections.
  async sharing(stage) {
    const url = await stage.serve(...small);
    const page = await stage.join(url), other = await stage.join(url);
    await page.click("#title");
    await text(page, "#sharing-card", /guarantees.*delay.*bytes.*cpu.*fails when/);
    await text(page, "#sharing-figures", /received\d/);
    await stage.picture(page, "card");
    await page.getByRole("button", { name: /^lockstep/ }).click();
    await text(page, "#sharing-card", /anybody is slow, in which case all are/);
    await page.getByRole("button", { name: "Play under it" }).click();
    for (const p of [page, other]) { // everybody comes along
      await text(p, "#title", /crowd · lockstep/);
      await inWorld(p);
    }
    await page.click("#title");
    await page.getByRole("button", { name: /^central/ }).click();
    await page.getByRole("button", { name: "Side by side" }).click();
    await until(page, () => throng.look().beside?.body);
    await page.fill("#delay", "150");
    await until(page, () => throng.look().counts.roundTrip > 290e6 && throng.look().beside.counts.roundTrip > 290e6);
    const from = await page.evaluate(() => throng.look().beside.body), { me, part } = await look(page);
    const way = (at) => (at < part.world.bounds[2] / 2 ? 1 : -1), right = way(from.x) === way(me.x) ? way(me.x) : 1, key = right > 0 ? "KeyD" : "KeyA";
    await page.keyboard.down(key); // both do what the user does
    await until(page, ([a, b, right]) => {
      const { beside, bodies } = throng.look();
      return (beside.body.x - a) * right > 0.5 && (bodies.find((o) => o.own).x - b) * right > 0.5;
    }, [from.x, me.x, right]);
    await page.keyboard.up(key);
    await text(page, "#compared-table", /lockstepcentral.*received/);
    await stage.picture(page, "split");
    await page.getByRole("button", { name: "One world again" }).click();
    await until(page, () => !throng.look().beside);
    await inWorld(page);
  },

  // A world and a mechanism of one's own, in a module of its own, are played like any other.
  async own(stage) {
    stage.program = own;
    const page = await stage.join(await stage.serve("--world", "hats", "--mechanism", "mine"));
    await text(page, "#title", /hats · mine/);
    const { me, part } = await look(page);
    const [, , width] = part.world.bounds, right = me.x < width / 2 ? 1 : -1;
    await page.keyboard.down(right > 0 ? "KeyD" : "KeyA");
    await moved(page, me.x, "x", right);
    await page.keyboard.up(right > 0 ? "KeyD" : "KeyA");
    await stage.picture(page, "hats");
  },

  // A racket follows the mouse.
  async pong(stage) {
    const url = await stage.serve("--world", "pong", "--mechanism", "optimistic", "--set", "grace=10m");
    const page = await stage.join(url, { dark: true });
    for (const share of [0.3, 0.7]) {
      const box = await page.locator("#world").boundingBox();
      await page.mouse.move(box.width / 2, box.height * share, { steps: 3 });
      await until(page, (y) => {
        const { bodies, camera } = throng.look();
        return Math.abs(bodies.find((b) => b.own).y - camera.toWorld(0, y)[1]) < 20;
      }, box.height * share);
    }
    await stage.picture(page, "court");
    // There are as many places as players: a tab that is closed leaves its place to the next, at once.
    await stage.join(url);
    await page.goto("about:blank");
    await stage.join(url);
  },

  // A general trains a worker, sends everybody somewhere, and sees which parts of the map are computed where.
  async strategy(stage) {
    const url = await stage.serve("--world", "rts", "--mechanism", "aos");
    const page = await stage.join(url);
    const workers = () => page.evaluate(() => throng.look().mine.filter((o) => o.kind === "worker"));
    const before = await workers();
    const base = await page.evaluate(() => {
      const { mine, camera } = throng.look(), b = mine.find((o) => o.kind === "base");
      return camera.toPage(b.x, b.y);
    });
    const [hint, map] = await Promise.all(["#hint", "#minimap"].map((id) => page.locator(id).boundingBox()));
    assert.ok(hint.y + hint.height <= map.y || hint.x >= map.x + map.width, "the hint covers the map");
    await page.mouse.click(...base);
    await text(page, "#chosen", /base/);
    await page.getByRole("button", { name: /^worker/ }).click();
    await until(page, (n) => throng.look().mine.filter((o) => o.kind === "worker").length > n, before.length);
    await page.mouse.move(base[0] - 200, base[1] - 200);
    await page.mouse.down();
    await page.mouse.move(base[0] + 200, base[1] + 200, { steps: 4 });
    await stage.picture(page, "selecting");
    await page.mouse.up();
    await text(page, "#chosen", /\d workers/);
    const [x, y] = await page.evaluate((at) => throng.look().camera.toWorld(...at), [base[0] + 220, base[1] - 160]);
    await page.mouse.click(base[0] + 220, base[1] - 160, { button: "right" });
    await until(page, ([x, y]) => throng.look().mine.filter((o) => o.kind === "worker" && Math.hypot(o.x - x, o.y - y) < 6).length >= 5, [x, y]);
    // Gathering fills the stock: workers are sent to a field, and come back with a load.
    const field = await page.evaluate(() => {
      const { fields, camera, mine } = throng.look(), b = mine.find((o) => o.kind === "base");
      const f = fields.sort((p, q) => Math.hypot(p.x - b.x, p.y - b.y) - Math.hypot(q.x - b.x, q.y - b.y))[0];
      return camera.toPage(f.x, f.y);
    });
    await page.mouse.click(...field, { button: "right" });
    await until(page, () => throng.look().mine.some((o) => o.kind === "worker" && o.load !== 0));
    await page.mouse.dblclick(...(await page.evaluate(() => {
      const { mine, camera } = throng.look(), w = mine.find((o) => o.kind === "worker");
      return camera.toPage(w.x, w.y);
    })));
    await until(page, () => throng.look().areas.length === 10 && throng.look().areas.some((a) => a.role > 0));
    await text(page, "#areas", /updated|simulated/);
    await stage.picture(page, "sent");
    const phone = await stage.join(url, { width: 390, height: 844, dark: true });
    await stage.picture(phone, "phone");
  },

  // Philosophers take forks, archers shoot: by buttons and clicks that the page explains.
  async deeds(stage) {
    const table = await stage.join(await stage.serve("--world", "philosophers", "--set", "world.count=5"));
    await text(table, "#hint", /take both forks/);
    for (let tries = 0; tries < 50 && !(await table.evaluate(() => throng.look().mine.some((o) => o.eating))); tries++) {
      await table.keyboard.press("Space");
      await table.waitForFunction(() => throng.look().mine.some((o) => o.eating), undefined, { timeout: 1000 }).catch(() => {});
    }
    assert.ok(await table.evaluate(() => throng.look().mine.some((o) => o.eating)), "never got both forks");
    await stage.picture(table, "philosophers");
    const yard = await stage.join(await stage.serve("--world", "shooters"));
    await text(yard, "#hint", /shoot/);
    const { counts } = await look(yard);
    await yard.mouse.click(...(await yard.evaluate(() => {
      const { bodies, camera } = throng.look(), b = bodies.find((b) => !b.own);
      return camera.toPage(b.x, b.y);
    })));
    await until(yard, (n) => throng.look().counts.acts > n, counts.acts);
    await stage.picture(yard, "shooters");
  },

  // People among walls, whose deeds are certain only when the server has put them into the order: until then two of oneself.
  async walls(stage) {
    const page = await stage.join(await stage.serve("--world", "manhattan", "--mechanism", "action", "--set", "world.walls=20000"));
    await page.click("#ghosts");
    await page.click("#pilot");
    await page.fill("#delay", "150");
    const { me } = await look(page);
    await until(page, (me) => throng.look().bodies.some((b) => b.own && Math.hypot(b.x - me.x, b.y - me.y) > 1), me);
    await until(page, () => throng.look().scenery > 0 && throng.look().ghosts > 0);
    await text(page, "#astray-own", /\d/); // how far apart they are, as a number
    await stage.picture(page, "ghosts");
  },

  // An operator sees how things stand, finds somebody among the people, tells them something and shows them out.
  async operators(stage) {
    const one = await stage.join(await stage.serve(...small, "--admin-listen", "127.0.0.1:0"));
    const { part } = await look(one);
    const desk = await stage.open(stage.operators);
    await text(desk, "#found", /1 of 1/);
    await until(desk, () => document.querySelectorAll("#charts polyline[points*=',']").length > 0);
    await desk.hover("#charts svg >> nth=0");
    await text(desk, "#charts figcaption b", /\d\d:\d\d:\d\d: /);
    await desk.fill("#find", "nobody of that name");
    await text(desk, "#found", /0 of 1/);
    await desk.fill("#find", String(part.user));
    await desk.getByRole("button", { name: new RegExp(`^inspect .*${part.user}$`) }).click();
    await text(desk, "#inspected", /walker/);
    await accessible(desk, "the operators' page");
    await stage.picture(desk, "desk");
    await desk.setViewportSize({ width: 390, height: 844 });
    await stage.picture(desk, "phone");
    assert.ok(await desk.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "wider than the phone");
    desk.on("dialog", (d) => d.accept("Mind the step"));
    await desk.click("#message");
    await text(one, "#notice", /Mind the step/);
    await desk.getByRole("button", { name: new RegExp(`^kick .*${part.user}$`) }).click();
    await state(one, "ended");
  },

  // The server ends: it says so, and the page tells.
  async goodbye(stage) {
    const page = await stage.join(await stage.serve(...small));
    stage.server.kill("SIGTERM");
    await state(page, "ended");
    await text(page, "#notice", /going down/);
    await page.getByRole("button", { name: "Join again" }).waitFor();
    await stage.picture(page, "goodbye");
  },

  // A world on three processes, one of which is killed: whose page came from there goes on through another one, as the same person in
  // the same place, without a word.
  async survive(stage) {
    const token = "a-token-of-the-test", bus = `127.0.0.1:${await freePort()}`;
    const started = [["--replicas", "3", "--wait", "2", "--bus-listen", bus], ["--join", `throng://${token}@${bus}`], ["--join", `throng://${token}@${bus}`]].map((args) => {
      const url = stage.serve(...args, "--admin-listen", "127.0.0.1:0", ...(args[0] === "--join" ? [] : ["--set", `cluster-token=${token}`, ...small]));
      return { url, child: stage.server };
    });
    stage.ends.push(() => started.forEach(({ child }) => child.kill("SIGKILL"))); // two of three cannot leave one after the other
    const [url] = await Promise.all(started.map(({ url }) => url));
    const page = await stage.join(url);
    const { me } = await look(page);
    await page.evaluate(() => {
      window.states = [];
      new MutationObserver(() => window.states.push(document.documentElement.dataset.state)).observe(document.documentElement, { attributeFilter: ["data-state"] });
    });
    const began = Date.now();
    started[0].child.kill("SIGKILL");
    await until(page, () => window.states.includes("lost") && document.documentElement.dataset.state === "in");
    console.log(`lost and in again after ${Date.now() - began} ms`);
    assert.ok(!(await page.evaluate(() => window.states)).includes("joining"), "the page has begun anew");
    const after = await look(page);
    assert.equal(after.me.id, me.id, "somebody else came back");
    await page.keyboard.down("d");
    await moved(page, after.me.x, "x", 1);
    await page.keyboard.up("d");
    await stage.picture(page, "elsewhere");
  },

  // Everything can be reached without a mouse.
  async keyboard(stage) {
    const page = await stage.join(await stage.serve(...small));
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    await text(page, "#help-keys", /walk/);
    await stage.picture(page, "help");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await accessible(page, "the page");
    await page.emulateMedia({ colorScheme: "dark" });
    await accessible(page, "the page in the dark");
    await page.keyboard.press("Tab"); // from the canvas on, everything can be reached
    await page.focus("#title");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await accessible(page, "the card");
  },

  // A report fits on a laptop and on paper, says what it measures, and gives its plots away.
  async report(stage) {
    const page = await stage.open(`file://${report}`, { width: 1440, height: 900 });
    const fits = () => page.evaluate(() => [...document.querySelectorAll("body *")].filter((e) => e.checkVisibility() && !e.closest(".scroll table") && e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.outerHTML.slice(0, 100)));
    assert.deepEqual(await fits(), [], "clipped at 1440 px");
    await text(page, ".defined", /divergence/);
    await accessible(page, "the report");
    for (const [kind, content] of [["svg", /^<svg.*xmlns/s], ["csv", /^curve,at,value,about\n"/]]) {
      const [download] = await Promise.all([page.waitForEvent("download"), page.locator(`[data-save=${kind}]`).first().click()]);
      const parts = [];
      for await (const part of await download.createReadStream()) parts.push(part);
      assert.match(Buffer.concat(parts).toString(), content, kind);
    }
    await stage.picture(page, "laptop");
    await page.emulateMedia({ media: "print" });
    await page.setViewportSize({ width: 718, height: 1000 }); // what A4 leaves between its margins
    assert.deepEqual(await fits(), [], "clipped on paper");
    await stage.picture(page, "paper");
  },

  // A recording is opened, played, scrubbed, and its views chosen.
  async viewer(stage) {
    const page = await stage.open(await stage.view(recording));
    await state(page, "ready");
    const { tracks, frames, curves } = await page.evaluate(() => throng.look().about);
    assert.ok(tracks.length === 4 && frames > 100 && curves.length >= 1, "not the recording that was written");
    assert.deepEqual(await page.locator("#events .mark").evaluateAll((all) => all.map((m) => m.dataset.kind)), ["cut", "heal"]);
    assert.equal(await page.locator("#events .band").count(), 1);
    assert.match(await page.locator("#events .cause").textContent(), /partition 1/);
    await page.locator('#events [data-kind="heal"]').dispatchEvent("click"); // a line has no area to click on
    await text(page, "#time", /3\.00 s/);
    await page.keyboard.press(",");
    await text(page, "#time", /2\.00 s/);
    await page.fill("#scrub", "0");
    await page.click("#play");
    await until(page, () => throng.look().playing && throng.look().at > 500);
    await page.click("#play");
    await until(page, () => !throng.look().playing);
    await page.fill("#scrub", "4000");
    await text(page, "#time", /4\.00 s/);
    const before = await page.evaluate(() => throng.look().marks);
    await page.getByLabel("The truth").click();
    await until(page, (n) => throng.look().marks < n, before);
    await page.getByLabel("The truth").click();
    await until(page, (n) => throng.look().marks === n, before);
    await page.keyboard.press("ArrowRight");
    await text(page, "#time", /4\.05 s/);
    const chart = await page.locator(".u-over").first().boundingBox();
    await page.mouse.click(chart.x + chart.width / 2, chart.y + 10);
    await text(page, "#time", /^5\.0/);
    // An object: its attributes at every host, one of them over time, and an address that leads here.
    const [bee, x, y] = await page.evaluate(() => throng.somewhere());
    await page.mouse.click(x, y);
    await until(page, (id) => throng.look().object === id, bee);
    await text(page, "#object-values", /The truth.*x/);
    await page.locator("#object-values button").first().click();
    await page.locator("#object-curve path").first().waitFor();
    assert.match(page.url(), new RegExp(`#t=[\\d.]+&object=${bee}(&|$)`));
    await stage.picture(page, "views");
    await accessible(page, "the viewer");
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: "dark" });
    await stage.picture(page, "phone");
    await page.setInputFiles("#file", { name: "broken", mimeType: "application/octet-stream", buffer: Buffer.from("no recording") });
    await state(page, "empty");
    await text(page, "#problem", /recording/);
    await page.getByRole("link", { name: /^recording/ }).waitFor();
    await page.setInputFiles("#file-too", recording);
    await state(page, "ready");
  },

  // Datagrams on the time axis and between hosts, with what is in them; measures to choose from; and another recording beside, in step.
  async sequence(stage) {
    const list = await stage.view(recordings);
    const page = await stage.open(list, { width: 1440, height: 900 });
    await page.locator("#list a").first().click();
    await state(page, "ready");
    await text(page, "#packets-told", /[1-9]\d* datagrams · \d+ lost/);
    await page.fill("#scrub", "3000");
    await page.click("#sequence summary");
    await page.selectOption("#sequence-span", "1000");
    await until(page, () => document.querySelectorAll("#sequence-picture .datagram").length > 3);
    await text(page, "#sequence-list", /update.*at tick \d+/);
    await page.locator("#sequence-list button").first().click();
    await until(page, () => throng.look().at !== 3000);
    await page.click("#measures summary");
    await page.locator("#measures-list input:not(:checked)").first().check().catch(() => {}); // both may be shown already
    await until(page, () => throng.look().curves.length === document.querySelectorAll("#curves .curve").length && throng.look().curves.length > 1);
    await page.selectOption("#beside", { index: 1 });
    await until(page, () => throng.look().beside);
    assert.match(page.url(), /beside=.*&?.*#t=[\d.]+.*curves=/);
    await accessible(page, "two recordings in step");
    await stage.picture(page, "beside");
    const again = await stage.open(page.url(), { width: 1440, height: 900 }); // the address leads to the same
    await state(again, "ready");
    await until(again, (at) => throng.look().beside && Math.abs(throng.look().at - at) < 1, await page.evaluate(() => throng.look().at));
  },

  // Whoever runs the server may see what is really so, under a mechanism with a server and under one without, and how far off the
  // picture is; and may record it and watch that.
  async truth(stage) {
    for (const [mechanism, about] of [["central", /servers hold/], ["loose", /own machine/]]) {
      const page = await stage.join(await stage.serve(...small, "--mechanism", mechanism), { width: 1440, height: 900 });
      await page.fill("#delay", "200");
      await page.click("#truth");
      await text(page, "#truth-note", about);
      await until(page, () => throng.look().truths > 5);
      await text(page, "#astray-all", /\d/);
      await page.click("#record");
      await text(page, "#record", /Stop/);
      await stage.picture(page, mechanism);
      await page.click("#record");
      await text(page, "#record", /Record/);
      await page.click("#recorded");
      await state(page, "ready");
      assert.equal(await page.evaluate(() => throng.look().about.mechanism), mechanism);
      await text(page, "#about", /recorded live/);
    }
  },
};
