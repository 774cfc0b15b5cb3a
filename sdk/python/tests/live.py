"""Against a real server with the crowd: joins, walks, is seen, says something, leaves. python3 live.py [--json] URL"""

import asyncio
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import throng


async def until(world, so):
    while not so():
        await world.__anext__()


async def main():
    options = {"format": "json" if "--json" in sys.argv else "msgpack"}
    url = sys.argv[-1]
    async with throng.join(url, name="Ada", **options) as ada, throng.join(url, name="Eve", **options) as eve:
        seen = lambda world, user: next((o for o in world.objects.values() if o.user == user), None)
        await until(ada, lambda: ada.mine() and seen(ada, eve.user))
        start = ada.mine()[0].x
        await ada.act("walk", vx=150 if start < 20 else -150, vy=0)
        await until(eve, lambda: seen(eve, ada.user) and abs(seen(eve, ada.user).x - start) > 0.5)
        try:
            await ada.act("fly")
            raise AssertionError("flew")
        except throng.Refused as refused:
            assert refused.code == "refused" and "fly" in str(refused)
        await ada.say("hello")
        await until(eve, lambda: (ada.user, "hello") in eve.said)
        await eve.leave()
        await until(ada, lambda: not seen(ada, eve.user))
    assert ada.goodbye[0] == "left", ada.goodbye


asyncio.run(asyncio.wait_for(main(), 30))
