// The client that docs/protocol.md wants for conformance: node conform.mjs [--msgpack] URL
import { World } from "../throng.js";

const url = process.argv.at(-1);
const world = new World(url, { name: "conform", format: process.argv.includes("--msgpack") ? "msgpack" : "json" });
world.on("view", () => {
  const objects = [...world.objects.values()];
  const sum = objects.reduce((total, o) => total + o.x, 0);
  world.act("report", { objects: objects.length, sum: Math.round(sum), mine: world.mine().length }).catch(() => {});
});
world.on("goodbye", ({ code }) => process.exit(code === "left" ? 0 : 1));
world.begin().catch(() => {});
