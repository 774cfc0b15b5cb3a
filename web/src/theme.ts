// The page's colours, for what is drawn: they stand in the style sheet, once for light and once for dark.

import { rgba, type Colour } from "./marks";

export class Theme {
  dark = false;
  private readonly colours = new Map<string, Colour>();
  private readonly texts = new Map<string, string>();
  private palette: Colour[] = [];
  private readonly query = matchMedia("(prefers-color-scheme: dark)");

  constructor() {
    this.read();
    this.query.addEventListener("change", () => this.read());
  }

  private read() {
    this.dark = this.query.matches;
    this.colours.clear();
    this.texts.clear();
    this.palette = Array.from({ length: 10 }, (_, i) => this.colour(`user-${i}`));
  }

  // colour is the value of a custom property.
  colour(name: string): Colour {
    let c = this.colours.get(name);
    if (c === undefined) this.colours.set(name, (c = parse(this.text(name))));
    return c;
  }

  text(name: string): string {
    let t = this.texts.get(name);
    if (t === undefined) {
      t = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
      this.texts.set(name, t);
    }
    return t;
  }

  // user is the colour of somebody, the same on every page.
  user(u: number): Colour {
    return u === 0 ? this.colour("nobody") : this.palette[(u - 1) % this.palette.length];
  }

  userText(u: number): string {
    return u === 0 ? this.text("nobody") : this.text(`user-${(u - 1) % this.palette.length}`);
  }
}

// parse reads a colour such as #d9a400.
export function parse(text: string): Colour {
  const hex = text.replace("#", "");
  const n = (i: number) => parseInt(hex.length <= 4 ? hex[i] + hex[i] : hex.slice(2 * i, 2 * i + 2), 16);
  const alpha = hex.length === 8 || hex.length === 4 ? n(3) / 255 : 1;
  return hex ? rgba(n(0), n(1), n(2), alpha) : 0;
}
