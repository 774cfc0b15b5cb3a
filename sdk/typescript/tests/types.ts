// What a game written in TypeScript looks like; compiled, not run.
import { join, Refused, type Thing } from "../throng.js";

interface Walker extends Thing {
  kind: "walker";
  x: number;
  y: number;
  doing: number;
}

export async function play(): Promise<void> {
  const world = await join<Walker>("http://127.0.0.1:8080", { name: "Ada", fields: { walker: ["x", "y", "doing"] } });
  world.on("enter", (walker) => console.log(walker.x + walker.y)).on("said", ({ user, text }) => console.log(user, text));
  const [me] = world.mine();
  const state: "applied" | "final" = await world.act("walk", { vx: 100, vy: 0 });
  console.log(state, world.smooth(me!).x, world.schema.verbs[0]?.args[0]?.max);
  // @ts-expect-error there is no such event
  world.on("dance", () => {});
  // @ts-expect-error arguments are numbers, flags or texts
  world.act("walk", { vx: {} }).catch((e: Refused) => console.log(e.code));
}
