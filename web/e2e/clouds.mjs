// What a client's budget does not suffice for is drawn as clouds.

import assert from "node:assert/strict";
import { until } from "./harness.mjs";

export const tests = {
  // On a square where all see all, a small budget shows those near one by one and the rest as crowds: together about as many as there are.
  async clouds(stage) {
    const people = 120;
    const url = await stage.serve("--world", "crowd", "--mechanism", "octree", "--players", String(people), "--set", "world.mode=dense", "--set", "world.restless=true", "--set", "mechanism.budget=4kB", "--set", "mechanism.timeout=10s"); // a browser on a busy machine says nothing for seconds
    const page = await stage.join(url);
    await until(page, () => throng.look().clouds.length > 4);
    await until(page, (all) => {
      const { clouds, bodies } = throng.look(), known = clouds.reduce((n, c) => n + c.count, bodies.length);
      return bodies.length < all && Math.abs(known - all) < all / 4;
    }, people);
    const { clouds, part } = await page.evaluate(() => ({ clouds: throng.look().clouds, part: throng.look().part }));
    const [x0, y0, x1, y1] = part.world.bounds;
    for (const c of clouds) assert.ok(c.x0 < c.x1 && c.y0 < c.y1 && c.x1 > x0 && c.x0 < x1 && c.y1 > y0 && c.y0 < y1, `a cloud at ${JSON.stringify(c)}`);
    for (let i = 0; i < 6; i++) await page.mouse.wheel(0, 400);
    await stage.picture(page, "square");
  },
};
