"use strict";

// The rooms of the server, where there are several or could be: who is where, the overview of each, closing one and beginning another.

const roomsEvery = 5000;

async function changeRooms(method, path, body) {
  const said = document.getElementById("said"), root = location.pathname.replace(/^\/room\/[^/]+/, "");
  const response = await fetch(`${root}api/rooms${path}`, { method, headers: { "Content-Type": "application/json" }, body: body && JSON.stringify(body) }).catch(() => undefined);
  const answer = await response?.json().catch(() => undefined);
  said.textContent = response?.ok ? `done: ${method} rooms${path} ${JSON.stringify(answer)}` : `rooms${path}: ${answer?.error ?? "no answer"}`;
  await listRooms();
}

async function listRooms() {
  const response = await fetch("api/rooms").catch(() => undefined);
  if (!response?.ok) return;
  const rooms = await response.json(), here = location.pathname.replace(/admin\/$/, "");
  const rows = rooms.map((r, i) => {
    const tr = element("tr"), name = element("td"), link = element("a", r.name), orders = element("td");
    link.href = i === 0 ? "/admin/" : `${r.path}/admin/`;
    if (here === `${r.path}/` || (i === 0 && here === "/")) link.setAttribute("aria-current", "page");
    name.append(link);
    tr.append(name, element("td", `${r.world}, shared by ${r.mechanism}`), element("td", r.about ?? ""), element("td", whole(r.people), "number"), element("td", whole(r.artificial), "number"), orders);
    if (i > 0) { // the first ends with the server
      const button = element("button", "close");
      button.setAttribute("aria-label", `close ${r.name}`);
      button.addEventListener("click", () => {
        const reason = prompt(`Why is ${r.name} closed? Everybody there is told.`, "the room was closed");
        if (reason !== null) changeRooms("DELETE", `/${encodeURIComponent(r.name)}?reason=${encodeURIComponent(reason)}`);
      });
      orders.append(button);
    }
    return tr;
  });
  const head = element("tr");
  head.append(...["room", "world", "about", "people", "artificial", ""].map((name) => element("th", name)));
  document.getElementById("rooms").replaceChildren(head, ...rows);
}

document.getElementById("begin").addEventListener("submit", (e) => {
  e.preventDefault();
  changeRooms("POST", "", Object.fromEntries([...new FormData(e.target)].filter(([, value]) => value)));
});
listRooms();
setInterval(() => { if (!document.getElementById("rooms").contains(document.activeElement)) listRooms(); }, roomsEvery);
