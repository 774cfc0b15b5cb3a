// The rooms of a server: which one the page is for, and the list to choose from where there are several.

import { find, make } from "./dom";

interface Room {
  name: string;
  path: string;
  about?: string;
  world: string;
  mechanism: string;
  people: number;
  artificial: number;
}

const AGAIN = 5000; // ms between questions who is where

// base is where the world of this page is, below the server's address: empty for the only one, or the first.
export const base = location.pathname.match(/^\/room\/[^/]+/)?.[0] ?? "";

async function list(): Promise<Room[]> {
  const reply = await fetch("/api/rooms").catch(() => undefined);
  return reply?.ok ? reply.json() : [];
}

// chosen resolves when it is decided that this page plays: at once where there is no choice, else never, since other rooms have pages of
// their own.
export async function chosen(): Promise<void> {
  const rooms = await list(), several = rooms.length > 1;
  find("#rooms-link").hidden = !several;
  if (base || !several) return;
  const dialog = find<HTMLDialogElement>("#rooms");
  show(rooms);
  setInterval(async () => document.hidden || show(await list()), AGAIN);
  dialog.addEventListener("cancel", (e) => e.preventDefault()); // there is nothing behind it
  dialog.showModal();
  return new Promise(() => {});
}

function show(rooms: Room[]) {
  const items = rooms.map((r) => {
    const item = make("li"), link = make("a", "", r.name);
    link.href = `${r.path}/${location.search}${location.hash}`; // who somebody is goes along
    const count = `${r.people} ${r.people === 1 ? "person" : "people"}${r.artificial ? ` and ${r.artificial} artificial` : ""}`;
    link.append(make("small", "", r.about || `${r.world}, shared by ${r.mechanism}`), make("small", "", count));
    item.append(link);
    return item;
  });
  const held = (document.activeElement as HTMLAnchorElement | null)?.href;
  find("#rooms-list").replaceChildren(...items);
  if (held) items.map((i) => i.firstChild as HTMLAnchorElement).find((a) => a.href === held)?.focus();
}
