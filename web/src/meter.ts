// What a client costs and how it feels, over the last seconds.

import type { Client, Counts } from "./client";
import { bytes, millis } from "./dom";

const WINDOW = 4; // seconds over which rates are taken

export class Meter {
  counts!: Counts;
  private samples: { at: number; counts: Counts }[] = [];

  constructor(private readonly client: Client) {}

  reset() { this.samples = []; }

  // look reads the counters. It is called twice a second.
  look() {
    const at = performance.now() / 1000;
    this.counts = this.client.counts();
    this.client.refresh();
    this.samples.push({ at, counts: this.counts });
    while (this.samples.length > 2 && at - this.samples[0].at > WINDOW) this.samples.shift();
  }

  get ready() { return this.samples.length > 1; }

  // rate is by how much a counter grows in a second.
  rate(k: keyof Counts): number {
    const [first] = this.samples, last = this.samples[this.samples.length - 1];
    return (last.counts[k] - first.counts[k]) / Math.max(last.at - first.at, 0.001);
  }

  // rollbacks says how often the past is computed again.
  rollbacks(): string {
    const often = this.rate("rollbacks"), ticks = often > 0 ? this.rate("redone") / often : 0;
    return ticks > 0 ? `${often.toFixed(1)}/s of ${ticks.toFixed(1)} ticks` : "none";
  }

  // share is how much of what goes to other players goes directly.
  share(): string {
    const direct = this.rate("direct"), all = direct + this.rate("relayed");
    return this.ready && all > 0 ? `${Math.round((100 * direct) / all)} %` : "–";
  }

  // figures are the ones that people compare, with what each is.
  figures(): [string, string][] {
    if (!this.ready) return [];
    const { counts: c } = this;
    return [
      ["received", `${bytes(this.rate("bytesIn"))}/s`], ["sent", `${bytes(this.rate("bytesOut"))}/s`], ["my actions show after", c.applied > 0 ? millis(c.response) : "–"],
      ["others are behind by", millis(Math.max(0, c.behind))], ["roll-backs", this.rollbacks()], ["objects held", String(c.objects)],
    ];
  }
}
