// What is really so, asked of a server that only this machine can reach; and recordings of it.

import type { Client } from "./client";
import { find, say } from "./dom";

const PAUSE = 60; // ms between two questions

// What the switch says, by where the truth is from.
const ABOUT: Record<string, string> = {
  servers: "Outlined: what the servers hold, which decide.",
  owners: "Outlined: what each player’s own machine holds of its own. Under this mechanism nobody else decides; your own things are as you see them, and other people’s as they were last told.",
  nobody: "There is no truth to be had: users’ machines decide, and none of them runs on the server.",
};

export class Truth {
  on = false;
  private base = "";
  private readonly box = find<HTMLInputElement>("#truth");

  constructor(private readonly client: Client) {
    this.box.addEventListener("change", () => {
      this.on = this.box.checked;
      if (this.on) this.ask();
      else say(find("#truth-note"), "");
    });
    find("#record").addEventListener("click", () => this.record());
  }

  // begin finds out whether the server answers, when the user has come in somewhere.
  async begin(base: string) {
    this.base = base;
    const reply = await fetch(`${base}/api/truth`).catch(() => undefined);
    find("#truth-row").hidden = find("#record").hidden = !reply?.ok;
    if (!reply?.ok) this.on = this.box.checked = false;
  }

  private async ask() {
    while (this.on) {
      const reply = await fetch(`${this.base}/api/truth`).catch(() => undefined);
      if (reply?.ok) {
        const basis = reply.headers.get("Throng-Basis") ?? "servers";
        this.client.reveal(new Uint8Array(await reply.arrayBuffer()), basis === "owners");
        say(find("#truth-note"), ABOUT[basis] ?? "");
      }
      await new Promise((done) => setTimeout(done, PAUSE));
    }
  }

  // record has the server begin to record the world, or end it; what was recorded can be watched.
  private async record() {
    const button = find("#record"), on = button.getAttribute("aria-pressed") !== "true";
    const reply = await fetch(`${this.base}/api/recording?on=${on}`, { method: "POST" }).catch(() => undefined);
    if (!reply?.ok) return say(find("#record-note"), "The server does not record.");
    const { name } = await reply.json();
    button.setAttribute("aria-pressed", String(on));
    say(button, on ? "■ Stop" : "● Record");
    const link = find<HTMLAnchorElement>("#recorded");
    link.href = `/view?recording=${encodeURIComponent(name)}`;
    link.hidden = on;
    say(find("#record-note"), on ? "Recording what is so, what some artificial players see, and who comes and goes." : "");
  }
}
