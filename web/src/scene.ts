// One recording as it is shown: what the chosen hosts saw at a moment, over each other.

import type { Camera } from "./camera";
import { Inspector, trackColour } from "./inspect";
import { Labels } from "./labels";
import { Marks } from "./marks";
import { newPainter, type Painter, type Picture } from "./paint/painter";
import type { About, Recording } from "./recording";
import { newSurface } from "./surface";
import type { Theme } from "./theme";

const SHOWN = 3; // hosts that are shown at first, beside the truth
const RING = 2.6; // px from the outline of one view to that of the next

export class Scene {
  about?: About;
  chosen: number[] = [];
  readonly marks = new Marks();
  private painter?: Painter;
  private readonly labels: Labels;
  private readonly surface;

  constructor(readonly recording: Recording, readonly canvases: HTMLCanvasElement[], private readonly camera: Camera, private readonly theme: Theme, plain: boolean) {
    this.surface = newSurface(canvases[0], plain);
    this.labels = new Labels(canvases[1], camera, theme);
  }

  // open reads a recording and shows the truth and a few hosts. It throws what is wrong with it.
  open(content: Uint8Array): About {
    this.about = undefined;
    const about = this.recording.open(content), { tracks } = about;
    this.about = about;
    this.painter = newPainter(about.world);
    const truth = tracks.findIndex((t) => t.role === "truth"), hosts = tracks.map((_, i) => i).filter((i) => i !== truth).slice(0, SHOWN);
    this.chosen = truth >= 0 ? [truth, ...hosts] : hosts;
    this.recording.choose(this.chosen);
    return about;
  }

  // choose shows or hides a track. The truth stays below the others.
  choose(i: number, on: boolean) {
    this.chosen = this.chosen.filter((c) => c !== i);
    if (on && this.about!.tracks[i].role === "truth") this.chosen.unshift(i);
    else if (on) this.chosen.push(i);
    this.recording.choose(this.chosen);
  }

  // end is when the last frame is, in ms.
  get end(): number {
    return this.about ? Math.max(0, this.about.frames - 1) * this.about.span : 0;
  }

  paint(at: number, now: number, inspector?: Inspector) {
    const { marks, labels, camera, theme, recording, painter, chosen, about } = this;
    if (!about) return;
    marks.clear();
    labels.begin();
    recording.show(Math.min(at, this.end));
    const picture: Picture = { marks, labels, camera, theme, seconds: now, speech: (id) => recording.said(chosen[0], id), human: () => false };
    chosen.forEach((track, k) => {
      const records = recording.list(track);
      if (k === 0) painter!.ground(picture, records);
      if (k === 0) painter!.bodies(picture, records); // as in the page; the others as outlines over it
      if (chosen.length === 1) return;
      // Each is drawn a little within the one before, so that views that agree show as rings within rings.
      const colour = theme.colour(trackColour(about.tracks[track]));
      for (let i = 0; i < records.length; i++) painter!.outline(picture, records, i, colour, RING * k);
    });
    if (inspector) this.paintChosen(inspector, about);
    labels.end();
    this.surface.draw(marks, camera, theme.colour("outside"));
  }

  // paintChosen marks the object that is looked at, as each host sees it, and lists its attributes.
  private paintChosen(inspector: Inspector, about: About) {
    if (inspector.id === undefined) return;
    inspector.show(about.world, about.tracks, this.chosen);
    for (const track of this.chosen) {
      const r = this.recording.list(track);
      for (let i = 0; i < r.length; i++) {
        if (r.id(i) === inspector.id) {
          this.marks.disc(r.x(i), r.y(i), about.world.kinds[r.kind(i)].radius + 9 / this.camera.scale, { edge: this.theme.colour(trackColour(about.tracks[track])), width: 2 });
        }
      }
    }
  }
}
