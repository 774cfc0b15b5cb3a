// Against a real server with the crowd: joins, walks, is seen, sees smoothly, says something, comes back, leaves. node live.mjs [--msgpack] URL
import assert from "node:assert";
import { join, Refused } from "../throng.js";

const url = process.argv.at(-1);
const format = process.argv.includes("--msgpack") ? "msgpack" : "json";
const until = (world, type, so) => new Promise((resolve) => world.on(type, (detail) => so(detail) && resolve(detail)));
let step = "join";
setTimeout(() => assert.fail(`it takes too long to ${step}`), 30000).unref();

const ada = await join(url, { name: "Ada", format });
const eve = await join(url, { name: "Eve", format });
assert.equal(ada.schema.world, "crowd");
step = "see each other";
const there = () => ada.mine().length === 1 && [...ada.objects.values()].some((o) => o.user === eve.user);
if (!there()) await until(ada, "view", there); // where nobody moves, no view follows
const [me] = ada.mine();
const from = me.x;
step = "see somebody walk";
const seen = until(eve, "change", (o) => o.user === ada.user && Math.abs(o.x - from) > 0.5);
await ada.act("walk", { vx: from < 20 ? 150 : -150, vy: 0 });
await seen;
const shown = eve.smooth([...eve.objects.values()].find((o) => o.user === ada.user));
assert.ok(Math.abs(shown.x - me.x) < 1.5, `shown at ${shown.x}, is at ${me.x}`);
await assert.rejects(ada.act("fly"), (e) => e instanceof Refused && e.code === "refused" && /fly/.test(e.message));
step = "hear what is said";
const heard = until(eve, "said", (m) => m.user === ada.user);
ada.say("hello");
assert.equal((await heard).text, "hello");
step = "leave";
eve.leave();
await until(ada, "leave", (o) => o.user === eve.user);
ada.leave();
assert.equal((await until(ada, "goodbye", () => true)).code, "left");
process.exit(0);
