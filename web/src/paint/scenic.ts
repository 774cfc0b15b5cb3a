// The painter of worlds with scenery: lines that never change, such as walls, under what the plain painter draws.

import type { Records } from "../records";
import type { World } from "../schema";
import type { Picture } from "./painter";
import { PlainPainter } from "./plain";

const THICK = 2; // pixels

export class ScenicPainter extends PlainPainter {
  constructor(w: World, readonly radius?: number) {
    super(w);
  }

  override ground(p: Picture, r: Records, beginning?: Records) {
    super.ground(p, r, beginning);
    const lines = p.scenery, half = THICK / 2 / p.camera.scale, wall = p.theme.colour("ink");
    for (let i = 0; lines && i + 3 < lines.length; i += 4) p.marks.line(lines[i], lines[i + 1], lines[i + 2], lines[i + 3], half, wall);
  }
}
