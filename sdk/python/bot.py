"""A bot: walks after the nearest other. python3 bot.py [URL]"""

import asyncio
import math
import sys

import throng


async def main(url):
    async with throng.join(url, name="Follower", rate=4, fields={"walker": ["x", "y"]}) as world:
        async for _ in world:
            me = next(iter(world.mine()), None)
            others = [o for o in world.objects.values() if o.user != world.user]
            if me and others:
                goal = min(others, key=lambda o: math.dist((o.x, o.y), (me.x, me.y)))
                away = max(math.dist((goal.x, goal.y), (me.x, me.y)), 0.1)
                await world.act("walk", vx=round(100 * (goal.x - me.x) / away), vy=round(100 * (goal.y - me.y) / away))


asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8080"))
