// What must work between several browsers: connections from player to player.

import assert from "node:assert/strict";

import { look, text, until } from "./harness.mjs";

// remembering keeps what a page opens, so that it can be broken from outside.
const remembering = (page) => page.addInitScript(() => {
  const Own = RTCPeerConnection;
  window.peers = [];
  window.RTCPeerConnection = class extends Own {
    constructor(...args) {
      super(...args);
      peers.push(this);
    }
  };
});

// directly waits until so many more datagrams have gone to others directly.
const directly = async (page, more) => {
  const { counts } = await look(page);
  await until(page, (least) => throng.look().counts.direct >= least && throng.look().counts.partners > 0, counts.direct + more);
};

// sees waits until a page shows where another's user is.
const sees = (page, user) => until(page, (user) => throng.look().bodies.some((b) => b.user === user), user);

export const direct = {
  // Two people's pages connect to each other, and go on by the server when that connection breaks.
  async direct(stage) {
    const url = await stage.serve("--world", "swarm", "--mechanism", "loose", "--players", "2");
    const [ada, ben] = [await stage.join(url, { before: remembering }), await stage.join(url, { before: remembering })];
    for (const page of [ada, ben]) await page.check("#pilot", { force: true });
    await Promise.all([directly(ada, 10), directly(ben, 10)]);
    await text(ada, "#between", /[1-9]\d* % · 1/);
    await stage.picture(ada, "connected");
    const { part } = await look(ben);
    await sees(ada, part.user);

    const { counts: before } = await look(ben);
    await ada.evaluate(() => peers.forEach((p) => p.close()));
    await until(ben, () => throng.look().counts.partners === 0);
    await until(ben, (least) => throng.look().counts.relayed > least, before.relayed + 8);
    const at = (await look(ada)).bodies.find((b) => b.user === part.user);
    await until(ada, ([user, x, y]) => throng.look().bodies.some((b) => b.user === user && Math.hypot(b.x - x, b.y - y) > 1), [part.user, at.x, at.y]);
    await Promise.all([directly(ada, 5), directly(ben, 5)]); // and meet again

    const metrics = await (await fetch(stage.operators.replace(/\/admin$/, "/metrics"))).text();
    assert.match(metrics, /throng_between_clients_total\{way="direct"\} [1-9]/);
  },

  // Where the operator does not want it nobody connects to anybody.
  async apart(stage) {
    const url = await stage.serve("--world", "swarm", "--mechanism", "loose", "--players", "2", "--direct", "off");
    const [ada, ben] = [await stage.join(url, { before: remembering }), await stage.join(url)];
    for (const page of [ada, ben]) await page.check("#pilot", { force: true });
    await until(ben, () => throng.look().counts.datagramsOut > 20);
    assert.equal(await ada.evaluate(() => peers.length), 0);
    assert.ok(await ada.locator("#between-row").isHidden());
  },
};
