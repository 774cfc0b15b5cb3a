// Crowds that are too far away, and too many, to be told of one by one: each is a patch as dense as they stand, whose specks walk as they do on average.

import type { Cloud } from "./client";
import { fade } from "./marks";
import type { Picture } from "./paint/painter";

const DENSE = 0.25; // people per square unit that are drawn as densely as can be
const OPACITY = 0.75;
const LEAST = 0.12; // of it: somebody is there
const SPECKS = 12; // a patch has at most

export function paintClouds(p: Picture, clouds: Cloud[]) {
  const ink = p.theme.colour("cloud");
  for (const c of clouds) {
    const width = c.x1 - c.x0, height = c.y1 - c.y0;
    if (c.count === 0 || width <= 0 || height <= 0) continue;
    const x = (c.x0 + c.x1) / 2, y = (c.y0 + c.y1) / 2;
    if (!p.camera.sees(x, y, Math.max(width, height))) continue;
    const share = LEAST + (1 - LEAST) * Math.sqrt(Math.min(1, c.count / (width * height) / DENSE));
    const soft = Math.min(width, height) / 4;
    p.marks.box(x, y, width / 2 + soft / 2, height / 2 + soft / 2, 0, soft, { fill: fade(ink, OPACITY * share), soft });
    speckle(p, c, x, y, fade(ink, Math.min(1, 1.6 * OPACITY * share)));
  }
}

// speckle has a patch look like people: as many specks as there are, up to some, who walk through it as they do on average.
function speckle(p: Picture, c: Cloud, x: number, y: number, fill: number) {
  const width = c.x1 - c.x0, height = c.y1 - c.y0, size = Math.min(0.5, Math.min(width, height) / 8);
  const part = (i: number, step: number, moved: number) => (((i * step + moved) % 1) + 1) % 1 - 0.5; // spread evenly, without a pattern
  for (let i = 0, n = Math.min(c.count, SPECKS); i < n; i++) {
    const dx = part(i, 0.754877666, (c.vx * p.seconds) / width), dy = part(i, 0.569840291, (c.vy * p.seconds) / height);
    p.marks.disc(x + dx * width, y + dy * height, size, { fill });
  }
}
