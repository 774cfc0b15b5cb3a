"""Take part in a throng world from Python. The protocol is in docs/protocol.md.

    async with throng.join("http://127.0.0.1:8080", name="Ada") as world:
        async for view in world:          # whenever something has changed, until the server says goodbye
            me = world.mine()[0]
            await world.act("walk", vx=100, vy=0)
"""

import asyncio
import itertools
import json
from urllib.parse import urlsplit, urlunsplit

import msgpack
import websockets

VERSION = 2


class Refused(Exception):
    """The server refused something, or has given it up: code says which, the text why."""

    def __init__(self, code, reason):
        super().__init__(reason)
        self.code = code


class Object(dict):
    """An object in view: its fields as attributes or as keys, and its kind."""

    __getattr__ = dict.__getitem__


class World:
    """A user in a world, and what the user sees. Use join."""

    def __init__(self, url, name=None, format="msgpack", rate=None, fields=None, view=None, reconnect=True):
        parts = urlsplit(url)
        scheme = parts.scheme.replace("http", "ws")
        self._url = urlunsplit((scheme, parts.netloc, parts.path.rstrip("/") + "/thin", "format=" + format, ""))
        self._packed = format == "msgpack"
        self._wishes = {"name": name, "rate": rate, "fields": fields, "view": view}
        self._reconnect = reconnect
        self._token = None
        self._socket = None
        self._task = None
        self._tables = {}
        self._acts = {}
        self._ids = itertools.count(1)
        self._views = asyncio.Queue()
        self._ready = None
        self.objects = {}
        self.schema = None
        self.user = 0
        self.time = 0
        self.said = []  # what others have said, newest last: (user, text)
        self.goodbye = None  # (code, reason), once it is over

    async def __aenter__(self):
        self._ready = asyncio.get_running_loop().create_future()
        self._task = asyncio.ensure_future(self._run())
        await self._ready
        return self

    async def __aexit__(self, *_):
        await self.leave()

    def __aiter__(self):
        return self

    async def __anext__(self):
        view = await self._views.get()
        if view is None:
            self._views.put_nowait(None)  # for whoever asks again
            raise StopAsyncIteration
        return view

    def mine(self):
        """Objects of the own user."""
        return [o for o in self.objects.values() if o["user"] == self.user]

    async def act(self, verb, target=None, **args):
        """Does something; returns "applied" or "final" when it has taken effect, and raises Refused if it has not."""
        id = next(self._ids)
        self._acts[id] = asyncio.get_running_loop().create_future()
        await self._send({"type": "act", "id": id, "verb": verb, "args": args, "target": target})
        return await self._acts[id]

    async def say(self, text):
        await self._send({"type": "say", "text": text})

    async def ask(self, **wishes):
        """Changes what is told: rate, fields, view. It holds for later connections too."""
        self._wishes.update(wishes)
        await self._send({"type": "ask", **wishes})

    async def leave(self):
        """Leaves for good."""
        self._reconnect = False
        if self._socket is not None and self.goodbye is None:
            try:
                await self._send({"type": "leave"})
            except Refused:
                pass
        if self._task is not None:
            try:
                await asyncio.wait_for(asyncio.shield(self._task), 2)
            except asyncio.TimeoutError:
                self._task.cancel()

    async def _send(self, message):
        message = {k: v for k, v in message.items() if v is not None}
        if self._socket is None:
            self._settle(message.get("id"), "dropped", "the connection is lost")
            return
        try:
            await self._socket.send(msgpack.packb(message) if self._packed else json.dumps(message))
        except websockets.ConnectionClosed:
            self._settle(message.get("id"), "dropped", "the connection is lost")

    async def _run(self):
        tries = 0
        while self.goodbye is None:
            try:
                async with websockets.connect(self._url, max_size=None, compression=None) as socket:
                    self._socket = socket
                    await self._send({"type": "join", "version": VERSION, "token": self._token, **self._wishes})
                    async for message in socket:
                        tries = 0
                        self._take(msgpack.unpackb(message, strict_map_key=False) if self._packed else json.loads(message))
            except (OSError, websockets.WebSocketException):
                pass
            self._socket = None
            for id in list(self._acts):
                self._settle(id, "dropped", "the connection was lost")
            tries += 1
            if self.goodbye is None and (self._token is None or not self._reconnect or tries > 8):
                self.goodbye = ("lost", "the connection was lost")
            if self.goodbye is None:
                await asyncio.sleep(min(0.1 * 2**tries, 4))
        if not self._ready.done():
            self._ready.set_exception(Refused(*self.goodbye))
        self._views.put_nowait(None)

    def _take(self, message):
        if isinstance(message, list):  # a view in MessagePack
            message = dict(zip(("view", "change", "enter", "leave", "tables"), message))
        if "view" in message:
            self._view(message)
            return
        kind = message.get("type")
        if kind == "welcome":
            self.user, self._token, self.schema = message["user"], message["token"], message
            self.objects.clear()
            self._tables.clear()
        elif kind == "ready" and not self._ready.done():
            self._ready.set_result(None)
        elif kind == "ack":
            self._settle(message["id"], message["state"], message.get("reason"))
        elif kind == "said":
            self.said.append((message["user"], message["text"]))
        elif kind == "goodbye":
            if message["code"] == "stranger" and self._token:
                self._token = None  # the seat was kept for too long a time: as somebody new, then
            else:
                self.goodbye = (message["code"], message["reason"])

    def _settle(self, id, state, reason):
        waiting = self._acts.pop(id, None)
        if waiting is None or waiting.done():
            return
        if state in ("applied", "final"):
            waiting.set_result(state)
        else:
            waiting.set_exception(Refused(state, reason or state))

    def _view(self, message):
        self.time = message["view"]
        for number, kind, columns in message.get("tables", ()):
            self._tables[number] = kind, columns
        for id in message.get("leave", ()):
            self.objects.pop(id, None)
        for rows in message.get("enter", ()):
            self._rows(rows, True)
        for rows in message.get("change", ()):
            self._rows(rows, False)
        self._views.put_nowait(message)

    def _rows(self, rows, enter):
        kind, columns = self._tables[rows[0]]
        for at in range(1, len(rows), len(columns)):
            values = rows[at : at + len(columns)]
            if enter:
                self.objects[values[0]] = Object(kind=kind)
            self.objects[values[0]].update(zip(columns, values))


def join(url, **options):
    """Joins a world: async with throng.join(url, name="Ada", rate=10, fields={…}) as world."""
    return World(url, **options)
