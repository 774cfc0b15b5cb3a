// How the world is shared: the mechanisms with their cards, what the one in use costs just now, changing it while playing, and a second one beside it.

import { find, make, say } from "./dom";
import { base } from "./rooms";

interface Offer {
  name: string;
  about: string;
  card: { about: string; text: string }[] | null;
  because?: string; // why it is not to be had
}

interface Offers {
  current: string;
  switching: boolean;
  list: Offer[];
}

const ADDRESS = `${base}/api/mechanisms`;

export class Sharing {
  private readonly dialog = find<HTMLDialogElement>("#sharing");
  private offers: Offers = { current: "", switching: false, list: [] };
  private chosen = "";

  constructor(private readonly figures: () => [string, string][], private readonly beside: (name: string, base: string) => void) {
    find("#title").addEventListener("click", () => this.open());
    find("#sharing-switch").addEventListener("click", () => this.begin(true));
    find("#sharing-beside").addEventListener("click", () => this.begin(false));
  }

  private async open() {
    const reply = await fetch(ADDRESS).catch(() => undefined);
    if (!reply?.ok) return;
    this.offers = await reply.json();
    this.chosen = this.offers.current;
    this.problem("");
    this.show();
    this.dialog.showModal();
  }

  private problem(text: string) {
    find("#sharing-problem").hidden = !text;
    say(find("#sharing-problem"), text);
  }

  private show() {
    const { current, switching, list } = this.offers;
    find("#sharing-list").replaceChildren(...list.map((o) => {
      const item = make("li"), button = make("button", "", o.name);
      button.type = "button";
      button.setAttribute("aria-pressed", String(o.name === this.chosen));
      button.append(make("small", "", o.name === current ? "you are playing under it" : o.about));
      button.addEventListener("click", () => {
        this.chosen = o.name;
        this.problem("");
        this.show();
        find(`#sharing-list [aria-pressed="true"]`).focus();
      });
      item.append(button);
      return item;
    }));
    const offer = list.find((o) => o.name === this.chosen), playing = this.chosen === current;
    say(find("#sharing-name"), this.chosen);
    say(find("#sharing-about"), offer?.about ?? "");
    find("#sharing-card").replaceChildren(...(offer?.card ?? []).flatMap((l) => [make("dt", "", l.about), make("dd", "", l.text)]));
    find("#sharing-actions").hidden = playing || !switching || !!offer?.because;
    say(find("#sharing-note"), playing ? "" : !switching ? "The mechanism is the operator’s choice on this server." : offer?.because ? `Not here: ${offer.because}.` :
      "Playing under it begins the world again, for everybody here. Side by side you play both at once, with the same keys and equally bad connections.");
    find("#sharing-now").hidden = !playing;
    this.update();
  }

  // update shows what the mechanism in use costs now. It is called twice a second.
  update() {
    if (!this.dialog.open && this.chosen !== this.offers.current) return;
    find("#sharing-figures").replaceChildren(...this.figures().map(([name, value]) => {
      const row = make("div");
      row.append(make("dt", "", name), make("dd", "", value));
      return row;
    }));
  }

  private async begin(everybody: boolean) {
    const reply = await fetch(`${ADDRESS}/${encodeURIComponent(this.chosen)}${everybody ? "?everybody=1" : ""}`, { method: "POST" }).catch(() => undefined);
    const body = await reply?.json().catch(() => undefined);
    if (!reply?.ok) return this.problem(body?.error ?? "The server does not answer.");
    this.dialog.close();
    if (!everybody) this.beside(this.chosen, body.base);
  }
}
