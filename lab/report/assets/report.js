// Adds to a page that is complete without it: read-outs, switches for curves and scales, and sorting.
"use strict";
document.documentElement.classList.add("js");

function save(name, type, content) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// values are those of a figure's points, as a table.
function values(figure) {
  const quoted = (s) => `"${s.replace(/"/g, '""')}"`;
  const marks = [...figure.querySelectorAll(".view:not([hidden]) .curve:not(.off) [data-head]")];
  return ["curve,at,value,about", ...marks.map((m) => ["name", "head", "value", "detail"].map((k) => quoted(m.dataset[k])).join())].join("\n") + "\n";
}

// picture is a plot as a file of its own: what the page's style says stands in it.
function picture(plot) {
  const copy = plot.cloneNode(true), to = copy.querySelectorAll("*"), NAMES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-weight", "display"];
  plot.querySelectorAll("*").forEach((e, i) => {
    const style = getComputedStyle(e);
    to[i].setAttribute("style", [...NAMES.map((n) => `${n}:${style.getPropertyValue(n)}`), "font-family:sans-serif"].join(";"));
  });
  return new XMLSerializer().serializeToString(copy);
}

document.querySelectorAll("figure").forEach((figure) => {
  const readout = figure.querySelector(".readout");
  const off = (mark) => mark.closest(".curve").classList.contains("off");

  // What the pointer looks for along each kind of guide: the nearest column, row or point; then the nearest within it.
  const distance = {
    x: (dx, dy) => 1000 * Math.abs(dx) + Math.abs(dy),
    y: (dx, dy) => Math.abs(dy),
    xy: (dx, dy) => Math.hypot(dx, dy),
  };

  function element(kind, name, ...content) {
    const e = document.createElement(kind);
    e.className = name;
    e.append(...content);
    return e;
  }

  function hide() {
    readout.hidden = true;
    figure.querySelectorAll(".near").forEach((e) => e.classList.remove("near"));
    figure.querySelectorAll(".guide").forEach((e) => e.setAttribute("visibility", "hidden"));
  }

  function show(plot, mark) {
    hide();
    const { x, y, head } = mark.dataset;
    const along = plot.dataset.guide;
    const together = along === "xy" ? [mark] :
      [...plot.querySelectorAll("[data-head]")].filter((m) => m.dataset.head === head && !off(m));
    readout.replaceChildren(element("div", "head", head), ...together.map((m) => {
      const style = m.closest(".curve").getAttribute("class");
      const name = along === "xy" ? [] : [element("span", "", m.dataset.name)]; // there, the head has it
      return element("div", m === mark && name.length ? "chosen" : "",
        element("i", style), ...name, element("span", "value", m.dataset.value));
    }), element("div", "detail", mark.dataset.detail));
    mark.classList.add("near");

    const box = plot.viewBox.baseVal;
    if (along === "x") {
      const guide = plot.querySelector(".guide");
      for (const [name, value] of [["x1", x], ["x2", x], ["visibility", "visible"]]) guide.setAttribute(name, value);
    }
    readout.hidden = false;
    place(plot, x / box.width, y / box.height);
  }

  // Keeps the read-out beside its point and inside the figure.
  function place(plot, x, y) {
    const frame = figure.getBoundingClientRect(), area = plot.getBoundingClientRect();
    const left = area.left - frame.left + x * area.width, top = area.top - frame.top + y * area.height;
    const beside = left + 16 + readout.offsetWidth <= frame.width ? left + 16 : left - 16 - readout.offsetWidth;
    readout.style.left = Math.max(4, beside) + "px";
    readout.style.top = Math.max(4, top - readout.offsetHeight - 12) + "px";
  }

  figure.querySelectorAll(".plot").forEach((plot) => {
    plot.querySelectorAll("title").forEach((title) => title.remove()); // else the browser shows its own read-out as well
    const marks = [...plot.querySelectorAll("[data-head]")];
    let current = -1;
    const point = (event) => {
      const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(plot.getScreenCTM().inverse());
      const from = distance[plot.dataset.guide];
      let best = Infinity;
      marks.forEach((mark, i) => {
        const d = from(mark.dataset.x - at.x, mark.dataset.y - at.y);
        if (d < best && !off(mark)) [best, current] = [d, i];
      });
      if (best < Infinity) show(plot, marks[current]);
    };
    plot.addEventListener("pointermove", point);
    plot.addEventListener("pointerdown", point);
    // A finger leaves as soon as it lifts; its read-out stays until something else is touched.
    plot.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") hide(); });
    plot.addEventListener("blur", hide);
    plot.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (event.key === "Escape") hide();
      if (!step || marks.every(off)) return;
      event.preventDefault();
      do current = (current + step + marks.length) % marks.length; while (off(marks[current]));
      show(plot, marks[current]);
    });
  });

  const keys = [...figure.querySelectorAll(".key")];
  function turn(key, on) {
    key.setAttribute("aria-pressed", on);
    figure.querySelectorAll(`.curve[data-curve="${key.dataset.curve}"]`).forEach((c) => c.classList.toggle("off", !on));
  }
  keys.forEach((key) => key.addEventListener("click", (event) => {
    hide();
    const on = key.getAttribute("aria-pressed") === "true";
    if (!event.shiftKey) return turn(key, !on);
    const alone = on && keys.every((k) => k === key || k.getAttribute("aria-pressed") === "false");
    keys.forEach((k) => turn(k, alone || k === key));
  }));

  figure.querySelectorAll("[data-save]").forEach((button) => button.addEventListener("click", () => {
    hide();
    const name = figure.querySelector("h3").textContent.replace(/[^\w]+/g, "-");
    if (button.dataset.save === "csv") return save(`${name}.csv`, "text/csv", values(figure));
    [...figure.querySelectorAll(".view:not([hidden]) .plot")].forEach((plot, i, all) => save(`${name}${all.length > 1 ? `-${i + 1}` : ""}.svg`, "image/svg+xml", picture(plot)));
  }));

  figure.querySelectorAll("[data-scale]:is(button)").forEach((button) => button.addEventListener("click", () => {
    hide();
    const scale = button.dataset.scale;
    figure.querySelectorAll(".view").forEach((view) => { view.hidden = view.dataset.scale !== scale; });
    figure.querySelectorAll("[data-scale]:is(button)").forEach((b) => b.setAttribute("aria-pressed", b === button));
  }));
});

document.querySelectorAll("th[data-sort]").forEach((head) => {
  head.tabIndex = 0;
  const body = head.closest("table").tBodies[0];
  const key = (row) => row.cells[head.cellIndex].dataset.v;

  // Numbers by size, other values by name, missing ones last whichever the direction.
  function order(a, b, sign) {
    if (a === "" || b === "") return (a === "") - (b === "");
    return sign * (isNaN(a) || isNaN(b) ? a.localeCompare(b) : a - b);
  }

  function sort() {
    const sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
    head.parentNode.querySelectorAll("[aria-sort]").forEach((h) => h.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
    body.append(...[...body.rows].sort((a, b) => order(key(a), key(b), sign)));
  }
  head.addEventListener("click", sort);
  head.addEventListener("keydown", (event) => { if (event.key === "Enter") sort(); });
});
