// The battle, and what its usual mechanism shows of itself.

import assert from "node:assert/strict";

import { look, moved, text, until } from "./harness.mjs";

// brawl is a battle on a field where all see all.
const brawl = ["--world", "combat", "--set", "world.side=300", "--set", "world.tank-sight=150", "--set", "world.plane-sight=150", "--set", "world.hills=4"];

// unit waits until values of the user's own unit are between two bounds each.
const unit = (page, wanted) => until(page, (wanted) => {
  const me = throng.look().mine.find((o) => o.kind !== "missile");
  return me && Object.entries(wanted).every(([name, [least, most]]) => me[name] >= least && me[name] <= most);
}, wanted);

export const combat = {
  // Drive, shoot, be hit, go down and start again; and fly.
  async combat(stage) {
    const url = await stage.serve(...brawl, "--mechanism", "zonal", "--set", "world.planes=0", "--players", "10");
    const page = await stage.join(url);
    const { me, part } = await look(page), right = me.x > part.world.bounds[2] / 2 ? -1 : 1;
    await page.keyboard.down(right > 0 ? "KeyD" : "KeyA");
    await moved(page, me.x, "x", 3 * right);
    await page.keyboard.up(right > 0 ? "KeyD" : "KeyA");
    assert.ok((await page.evaluate(() => throng.look().scenery)) > 0, "no hills");
    await until(page, () => { // by clicking: a unit that is down does not fire
      document.querySelector("#world").dispatchEvent(new PointerEvent("pointerdown", { pointerId: 1, clientX: 300, clientY: 300, bubbles: true }));
      document.querySelector("#world").dispatchEvent(new PointerEvent("pointerup", { pointerId: 1, clientX: 300, clientY: 300, bubbles: true }));
      return throng.look().mine.some((o) => o.kind === "missile");
    });
    await stage.picture(page, "laptop");
    await unit(page, { health: [0, 2] });
    await unit(page, { rises: [1, Number.MAX_SAFE_INTEGER] });
    await stage.picture(page, "down");
    await unit(page, { rises: [0, 0], health: [3, 3] });

    const phone = await stage.join(await stage.serve(...brawl, "--mechanism", "central", "--set", "world.planes=1", "--players", "6"), { width: 390, height: 844, dark: true });
    const { me: flying } = await look(phone);
    await until(phone, ([x, y]) => throng.look().bodies.some((b) => b.own && Math.hypot(b.x - x, b.y - y) > 20), [flying.x, flying.y]); // planes cannot stop
    await stage.picture(phone, "phone");
  },

  // Zones and the tree are shown, and a parent that vanishes is replaced.
  async zones(stage) {
    const url = await stage.serve("--world", "combat", "--mechanism", "zonal", "--set", "mechanism.root=1", "--set", "mechanism.degree=2", "--set", "mechanism.levels=5",
      "--set", "mechanism.keep-alive=300ms", "--set", "world.peace=true", "--players", "24");
    const page = await stage.join(url);
    await page.click("#tree");
    await text(page, "#tree-list", /My zone.* of 4, level \d/);
    assert.equal((await page.evaluate(() => throng.look().zoned.zones.filter((z) => z.outline.length >= 6).length)), 4);
    await until(page, () => throng.look().zoned.ties.some((t) => t.role === 0 && t.user !== 0));
    await stage.picture(page, "tree");
    await page.click("#vanish:enabled");
    await text(page, "#vanish-note", /was replaced by .+ after \d/);
    await stage.picture(page, "replaced");
    const phone = await stage.join(url, { width: 390, height: 844, dark: true });
    await phone.tap("#sheet");
    await phone.tap("#tree");
    await text(phone, "#tree-list", /My zone.* of 4/);
    await stage.picture(phone, "phone");
  },
};
