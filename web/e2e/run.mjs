// Runs one test by its name, or lists them.

import { tests as clouds } from "./clouds.mjs";
import { combat } from "./combat.mjs";
import { direct } from "./direct.mjs";
import { Stage } from "./harness.mjs";
import { tests as rooms } from "./rooms.mjs";
import { tests as others } from "./tests.mjs";

const tests = { ...others, ...rooms, ...direct, ...clouds, ...combat };

const [name] = process.argv.slice(2);
if (name === "--list") {
  console.log(Object.keys(tests).join("\n"));
  process.exit(0);
}
const stage = new Stage(name);
try {
  await tests[name](stage);
} finally {
  await stage.close();
}
