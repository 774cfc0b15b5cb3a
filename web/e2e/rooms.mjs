// Rooms and accounts in a real browser.

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { inWorld, look, state, text } from "./harness.mjs";

// written makes a file that lasts as long as the stage.
function written(stage, name, content) {
  const dir = mkdtempSync(join(tmpdir(), "throng-"));
  stage.ends.push(() => rmSync(dir, { recursive: true }));
  writeFileSync(join(dir, name), content);
  return join(dir, name);
}

// signed is a token for an account, as a game's own site makes it.
function signed(secret, claims) {
  const part = (o) => Buffer.from(JSON.stringify(o)).toString("base64url"), body = `${part({ alg: "HS256", typ: "JWT" })}.${part(claims)}`;
  return `${body}.${createHmac("sha256", secret).update(body).digest("base64url")}`;
}

const file = `
plaza: {world: crowd, players: 6, about: The market square}
duel: {world: pong, mechanism: lockstep}
`;

export const tests = {
  // Somebody chooses a room from the list, changes its mechanism, and is told when an operator closes it; the others play on.
  async rooms(stage) {
    const url = await stage.serve("--worlds", written(stage, "worlds.yaml", file), "--set", "switch=on");
    const page = await stage.open(url);
    await text(page, "#rooms-list", /plazaThe market square0 people and 6 artificial.*duelpong, shared by lockstep/);
    await stage.picture(page, "list");
    await page.getByRole("link", { name: /^plaza/ }).click();
    await page.waitForURL(/\/room\/plaza\/$/);
    await inWorld(page);
    await text(page, "#title", /crowd · central/);
    const created = await fetch(`${stage.operators.replace(/\/admin$/, "")}/admin/api/rooms`, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ name: "arena", world: "crowd", players: 4 }),
    });
    assert.equal(created.status, 201);
    const other = await stage.join(`${url}/room/arena/#name=Ada`), twin = await stage.join(`${url}/room/plaza/#name=Ada`);
    await page.waitForSelector("#rooms-link");
    await other.click("#title");
    await other.getByRole("button", { name: /^lockstep/ }).click();
    await other.getByRole("button", { name: "Play under it" }).click();
    await text(other, "#title", /crowd · lockstep/);
    await inWorld(other);
    await text(page, "#title", /crowd · central/); // rooms are switched one by one

    const operator = await stage.open(stage.operators);
    await text(operator, "#rooms", /plaza.*arena.*arena\.lockstep.*duel/);
    await stage.picture(operator, "operators");
    operator.on("dialog", (d) => d.accept("the final is over"));
    await operator.getByRole("button", { name: "close arena", exact: true }).click();
    await state(other, "ended");
    await text(other, "#notice-text", /The final is over/);
    await text(operator, "#rooms", /^(?!.*arena)/);
    const people = await (await fetch(`${stage.operators}/api/people`)).json();
    assert.deepEqual(people.map((p) => p.name).sort(), ["", "Ada 2"]); // in the other room there was an Ada already
    await inWorld(twin);
  },

  // A game's own site leads to the page with a token in the address: they are who it says, and come back as the same. Nobody else gets in.
  async account(stage) {
    const secret = "a secret of the game's own site, long enough", exp = Math.floor(Date.now() / 1000) + 300;
    const url = await stage.serve("--auth", written(stage, "secret", secret), "--world", "crowd", "--players", "4");
    const token = signed(secret, { sub: "player-4711", name: "Ada", exp });
    const page = await stage.join(`${url}/#account=${token}`), before = (await look(page)).part.user;
    const people = async () => (await fetch(`${stage.operators}/api/people`)).json();
    assert.deepEqual((await people()).map((p) => [p.name, p.account]), [["Ada", "player-4711"]]);
    await page.click("#leave");
    await state(page, "ended");
    const again = await stage.join(`${url}/#account=${token}`);
    assert.equal((await look(again)).part.user, before);
    for (const wrong of ["", `#account=${signed("another secret of some length, not ours", { sub: "player-4711", exp })}`, `#account=${signed(secret, { sub: "x", exp: 1 })}`]) {
      const stranger = await stage.open(`${url}/${wrong}`);
      await state(stranger, "ended");
      await text(stranger, "#notice-text", /account|token/i);
    }
    assert.equal((await people()).length, 1);
  },
};
