// Painters turn records into marks. Worlds that want more than they can say of themselves (world.Look) have one of their own, others the plain one.

import type { Camera } from "../camera";
import type { Colour, Marks } from "../marks";
import type { Records } from "../records";
import type { World } from "../schema";
import type { Theme } from "../theme";
import type { Labels } from "../labels";
import { CombatPainter } from "./combat";
import { CrowdPainter } from "./crowd";
import { PlainPainter } from "./plain";
import { PongPainter } from "./pong";
import { RTSPainter } from "./rts";
import { SwarmPainter } from "./swarm";
import { TablePainter } from "./table";

export interface Picture {
  marks: Marks;
  labels: Labels;
  camera: Camera;
  theme: Theme;
  seconds: number; // of the page's clock, for what is animated
  scenery?: Float32Array; // lines that never change: where each begins and where it ends
  speech(id: bigint): string; // what an object says
  human(user: number): boolean; // whether a person plays it, as far as that is known
}

export interface Score {
  user: number;
  value: number;
}

export interface Painter {
  // avatar is the kind of the body that users have, or that most have.
  readonly avatar: number;
  // embodies says whether things of a kind are users' bodies.
  embodies(kind: number): boolean;
  // radius is how much of the world around the user is usually seen; undefined for all of it.
  readonly radius?: number;
  // begin tells it how far the user's people see, if that is known, and which of them are selected, now and later.
  begin?(sight: number | undefined, selected: ReadonlySet<bigint>): void;
  // ground draws what does not move: as it is in the records or, where those have nothing of it, as it was at the beginning.
  ground(p: Picture, r: Records, beginning?: Records): void;
  // bodies draws everything else as its user should see it.
  bodies(p: Picture, r: Records): void;
  // outline draws the shape of one object in a colour, if it is of a kind that moves: so many pixels within its edge, and
  // filled if that is none.
  outline(p: Picture, r: Records, i: number, colour: Colour, inset: number): void;
  // scores are what is counted for each user, best first.
  scores(r: Records): Score[];
  // nameOf is what somebody is called.
  nameOf(r: Records, i: number): string;
}

export function newPainter(w: World): Painter {
  switch (w.name) {
    case "crowd": return new CrowdPainter(w);
    case "swarm": return new SwarmPainter(w);
    case "pong": return new PongPainter(w);
    case "rts": return new RTSPainter(w);
    case "combat": return new CombatPainter(w);
    case "philosophers": return new TablePainter(w);
  }
  return new PlainPainter(w);
}
