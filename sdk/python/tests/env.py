"""The environment over a laboratory's world: python3 env.py THRONG"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from throng.env import Env


def episode(seed, acts):
    env = Env("swarm", {"bees": 3}, ticks=2, steps=50, command=[sys.argv[1]])
    objects, info = env.reset(seed=seed)
    verb = info["schema"]["verbs"][0]
    trace, total, done = [], 0.0, False
    while not done:
        push = {arg["name"]: arg["max"] for arg in verb["args"]} if acts else {}
        objects, reward, terminated, done, info = env.step([(verb["name"], push)] if acts else None)
        assert not terminated and not info["refused"], info
        total += reward
        trace.append(sorted((str(id), o.get("x")) for id, o in objects.items()))
    _, _, _, _, info = env.step([("fly", {})])
    assert "fly" in info["refused"][0], info
    assert env.mine()
    env.close()
    return trace, total


first, again = episode(7, True), episode(7, True)
assert first == again, "the same seed and acts give other answers"
assert episode(8, True) != first and episode(7, False) != first, "seeds or acts make no difference"
