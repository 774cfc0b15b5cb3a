"""The client that docs/protocol.md wants for conformance: python3 conform.py [--json] URL"""

import asyncio
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import throng


async def main():
    world = throng.World(sys.argv[-1], name="conform", format="json" if "--json" in sys.argv else "msgpack")
    world._ready = asyncio.get_running_loop().create_future()
    world._task = asyncio.ensure_future(world._run())
    async for _ in world:
        objects = world.objects.values()
        try:
            await world.act("report", objects=len(objects), sum=round(sum(o.x for o in objects)), mine=len(world.mine()))
        except throng.Refused:
            pass
    sys.exit(0 if world.goodbye[0] == "left" else 1)


asyncio.run(main())
