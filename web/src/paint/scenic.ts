// The painter of worlds with scenery: lines that never change, such as walls, under what the plain painter draws.

import type { Records } from "../records";
import type { World } from "../schema";
import type { Picture } from "./painter";
import { PlainPainter } from "./plain";

const THIN = 1.5; // pixels that a wall has at least,
const THICK = 7; // and at most

export class ScenicPainter extends PlainPainter {
  // thick is how thick walls are, in the world's unit; radius how much is seen around the user, or all.
  constructor(w: World, private readonly thick: number, readonly radius?: number) {
    super(w);
  }

  // ground draws walls as seen from above, with their shade on the street, so that people stand out against them.
  override ground(p: Picture, r: Records, beginning?: Records) {
    super.ground(p, r, beginning);
    const lines = p.scenery, half = Math.min(Math.max(this.thick, THIN / p.camera.scale), THICK / p.camera.scale) / 2;
    const wall = p.theme.colour("wall"), shade = p.theme.colour("shade"), near = half * p.camera.scale > 1.2;
    for (let i = 0; near && lines && i + 3 < lines.length; i += 4) {
      p.marks.line(lines[i] + half, lines[i + 1] + half * 1.4, lines[i + 2] + half, lines[i + 3] + half * 1.4, half, shade);
    }
    for (let i = 0; lines && i + 3 < lines.length; i += 4) p.marks.line(lines[i], lines[i + 1], lines[i + 2], lines[i + 3], half, wall);
  }
}
