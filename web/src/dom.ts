// Small help with the document.

export function find<T extends Element = HTMLElement>(selector: string): T {
  const e = document.querySelector<T>(selector);
  if (!e) throw new Error(`the page has no ${selector}`);
  return e;
}

// say sets a text only if it differs, so that nothing is laid out for nothing.
export function say(e: Element, text: string) {
  if (e.textContent !== text) e.textContent = text;
}

export function make<K extends keyof HTMLElementTagNameMap>(tag: K, className = "", text = ""): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  if (className) e.className = className;
  if (text) e.textContent = text;
  return e;
}

// bytes writes a rate or a size for people.
export function bytes(n: number): string {
  if (n < 1000) return `${Math.round(n)} B`;
  if (n < 1e6) return `${(n / 1000).toFixed(n < 10_000 ? 1 : 0)} kB`;
  return `${(n / 1e6).toFixed(1)} MB`;
}

export function millis(ns: number): string {
  const ms = ns / 1e6;
  return `${ms.toFixed(ms !== 0 && Math.abs(ms) < 10 ? 1 : 0)} ms`;
}
