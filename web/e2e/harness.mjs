// What the tests in a browser share: a server, a browser, and waiting for conditions.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

const PATIENCE = 60_000; // ms that a condition may take to hold, on a slow and busy machine

// What the Go test hands over.
const { THRONG: binary, CHROMIUM: browser, PICTURES: pictures } = process.env;

const CHROMIUM_FLAGS = [
  "--no-sandbox", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
  "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", // WebGL without a graphics card
];

export class Stage {
  constructor(name) {
    this.name = name;
    this.program = binary;
    this.ends = []; // what is to be closed, in reverse order
    this.problems = []; // what pages complained of
  }

  // serve starts a server and returns its address.
  serve(...args) {
    return this.start(/^listening on (http\S+)/, "serve", ...args);
  }

  // view serves recordings and returns the address of the page for them.
  view(path) {
    return this.start(/ at (http\S+)/, "view", path);
  }

  // start starts the program and waits for it to print an address.
  start(pattern, ...args) {
    const child = spawn(this.program, [...args, "--listen", "127.0.0.1:0"], { stdio: ["ignore", "pipe", "pipe"] });
    const log = [];
    createInterface({ input: child.stderr }).on("line", (line) => log.push(line));
    const ended = new Promise((resolve) => child.once("exit", resolve));
    this.ends.push(() => {
      child.kill("SIGTERM");
      return ended;
    });
    this.server = child;
    return new Promise((resolve, reject) => {
      createInterface({ input: child.stdout }).on("line", (line) => {
        const at = pattern.exec(line), operators = /^For operators: (http\S+)/.exec(line);
        if (at) resolve(at[1]);
        if (operators) this.operators = operators[1];
      });
      ended.then((code) => reject(new Error(`the server ended (${code}):\n${log.join("\n")}`)));
    });
  }

  // open opens a page of its own, as another person would.
  async open(url, { width = 1280, height = 800, dark = false, before } = {}) {
    if (!this.browser) {
      this.browser = await chromium.launch({ executablePath: browser, args: CHROMIUM_FLAGS });
      this.ends.push(() => this.browser.close());
    }
    const phone = width < 600;
    const context = await this.browser.newContext({
      viewport: { width, height }, colorScheme: dark ? "dark" : "light", deviceScaleFactor: phone ? 2 : 1, hasTouch: phone, isMobile: phone,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    page.on("pageerror", (e) => this.problems.push(String(e.stack ?? e)));
    await before?.(page);
    await page.goto(url);
    return page;
  }

  // join opens the player's page and waits until its user is in the world.
  async join(url, options) {
    const page = await this.open(url, options);
    await inWorld(page);
    return page;
  }

  async picture(page, what) {
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: join(pictures, `${this.name}-${what}.png`) });
  }

  async close() {
    for (const end of this.ends.reverse()) await end();
    assert.deepEqual(this.problems, [], "a page complained");
  }
}

// freePort is a port that nobody listens on.
export const freePort = () => new Promise((resolve) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
});

// until waits for a condition that is computed in the page from an argument.
export const until = (page, condition, arg) => page.waitForFunction(condition, arg, { timeout: PATIENCE });

export const inWorld = (page) => until(page, () => document.documentElement.dataset.state === "in" && throng.look().bodies.some((b) => b.own));

export const state = (page, is) => until(page, (is) => document.documentElement.dataset.state === is, is);

// look returns what the page's user sees.
export const look = (page) => page.evaluate(() => {
  const { part, counts, bodies, ghosts } = throng.look();
  return { part, counts, bodies, ghosts, me: bodies.find((b) => b.own) };
});

// moved waits until the user's own body is somewhere else than it was by at least a distance along an axis.
export const moved = (page, from, axis, by) =>
  until(page, ([from, axis, by]) => {
    const me = throng.look().bodies.find((b) => b.own);
    return me && (me[axis] - from) * Math.sign(by) >= Math.abs(by);
  }, [from, axis, by]);

// text waits until an element says something that matches.
export const text = (page, selector, pattern) =>
  until(page, ([selector, source]) => new RegExp(source).test(document.querySelector(selector)?.textContent ?? ""), [selector, pattern.source]);
