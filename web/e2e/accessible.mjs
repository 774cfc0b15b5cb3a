// What everybody must be able to use: names, contrast, keyboard. The rules are those of WCAG 2.2 AA that a program can check.

import assert from "node:assert/strict";

// accessible asserts that a page, as it is now, breaks none of them.
export async function accessible(page, what) {
  assert.deepEqual(await page.evaluate(findings), [], `${what} is not for everybody`);
}

function findings() {
  const found = [], seen = (e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const tell = (rule, e, more = "") => found.push(`${rule}: ${e.outerHTML.slice(0, 120)} ${more}`);
  if (!document.documentElement.lang || !document.title) found.push("the document has no language or no title");
  const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
  for (const id of new Set(ids.filter((id, i) => ids.indexOf(id) !== i))) found.push(`several elements are called ${id}`);

  const nameOf = (e) => e.getAttribute("aria-label") || e.getAttribute("aria-labelledby")?.split(" ").map((id) => document.getElementById(id)?.textContent ?? "").join("").trim() ||
    [...(e.labels ?? [])].map((l) => l.textContent).join("").trim() || e.textContent.trim() || e.getAttribute("title");
  for (const e of document.querySelectorAll("a[href], button, input, select, textarea, [role=img], [role=switch], dialog, nav, aside")) if (seen(e) && !nameOf(e)) tell("no name", e);
  for (const e of document.querySelectorAll("[aria-labelledby], [aria-controls], label[for]")) {
    const id = e.getAttribute("aria-labelledby") ?? e.getAttribute("aria-controls") ?? e.htmlFor;
    for (const one of id.split(" ")) if (!document.getElementById(one)) tell("refers to nothing", e, one);
  }
  for (const e of document.querySelectorAll("[onclick], [role=button]")) if (e.tabIndex < 0) tell("not for the keyboard", e);
  for (const e of document.querySelectorAll("[tabindex]")) if (e.tabIndex > 0) tell("an order of its own", e);
  for (const e of document.querySelectorAll("img")) if (!e.hasAttribute("alt")) tell("no alternative text", e);

  // Contrast, for all text on grounds that are colours.
  const paint = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (css) => {
    paint.clearRect(0, 0, 1, 1);
    paint.fillStyle = css;
    paint.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = paint.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const light = (c) => [0.2126, 0.7152, 0.0722].reduce((sum, k, i) => sum + k * (c[i] / 255 <= 0.04045 ? c[i] / 255 / 12.92 : ((c[i] / 255 + 0.055) / 1.055) ** 2.4), 0);
  const groundOf = (e) => {
    const layers = [];
    for (let at = e; at; at = at.parentElement) {
      const c = rgba(getComputedStyle(at).backgroundColor);
      if (c[3] > 0) layers.push(c);
      if (c[3] === 1) break;
    }
    const base = matchMedia("(prefers-color-scheme: dark)").matches ? [18, 22, 28, 1] : [255, 255, 255, 1];
    return layers.reverse().reduce((below, top) => over(top, below), base);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const e = node.parentElement;
    if (!node.textContent.trim() || !seen(e) || ["SCRIPT", "STYLE", "OPTION", "TITLE"].includes(e.tagName) || e.closest("svg, :disabled, [aria-hidden=true], .gone, .done")) continue;
    const style = getComputedStyle(e), size = parseFloat(style.fontSize), ground = groundOf(e), ink = over(rgba(style.color), ground);
    const [a, b] = [light(ink), light(ground)].sort((x, y) => y - x), ratio = (a + 0.05) / (b + 0.05), large = size >= 24 || (size >= 18.66 && +style.fontWeight >= 700);
    if (ratio < (large ? 3 : 4.5)) tell(`contrast ${ratio.toFixed(2)}`, e, node.textContent.trim().slice(0, 30));
  }
  return found;
}
