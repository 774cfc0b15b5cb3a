"""An environment with Gymnasium's interface over a world of the laboratory: no network, no clock, the same seed and acts give the same answers.

    env = throng.env.Env("swarm", {"bees": 4})
    objects, info = env.reset(seed=7)
    objects, reward, terminated, truncated, info = env.step([("steer", {"ax": 10, "ay": 0})])

Subclass it for observations, actions and rewards of one's own: observe, acts and reward say what those are.
"""

import json
import subprocess

from . import Object

try:
    import gymnasium

    Base = gymnasium.Env
except ImportError:  # the interface is the same without it
    Base = object


class Env(Base):
    metadata = {"render_modes": []}

    def __init__(self, world, settings=None, user=1, ticks=1, steps=1000, command=("throng",)):
        args = [*command, "gym", world, "--user", str(user), "--ticks", str(ticks)]
        for name, value in (settings or {}).items():
            args += ["--set", f"{name}={value}"]
        self._process = subprocess.Popen(args, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._steps, self._step = steps, 0
        self.objects, self.schema, self.score, self.user = {}, None, 0.0, user

    def reset(self, *, seed=None, options=None):
        self.objects, self._tables, self._step = {}, {}, 0
        answer = self._ask({"type": "reset", "seed": seed or 0})
        self.schema, self.score = answer["schema"], answer["score"]
        return self.observe(), {"schema": self.schema}

    def step(self, action):
        before = self.score
        answer = self._ask({"type": "step", "acts": [{"verb": verb, "args": args} for verb, args in self.acts(action)]})
        self.score = answer["score"]
        self._step += 1
        return self.observe(), self.reward(before), False, self._step >= self._steps, {"refused": answer["refused"], "score": self.score}

    def close(self):
        self._process.stdin.close()
        self._process.wait()

    # What a subclass may say otherwise:

    def observe(self):
        """What the user sees: objects by their IDs."""
        return self.objects

    def acts(self, action):
        """What an action stands for: pairs of a verb and its arguments."""
        return action or []

    def reward(self, before):
        """What a step was worth: by how much the world's own score has grown."""
        return self.score - before

    def mine(self):
        return [o for o in self.objects.values() if o["user"] == self.user]

    def _ask(self, request):
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the environment has ended")
        answer = json.loads(line)
        if "reason" in answer:
            raise ValueError(answer["reason"])
        for view in answer["views"]:
            self._view(view)
        return answer

    def _view(self, view):
        for number, kind, columns in view.get("tables", ()):
            self._tables[number] = kind, columns
        for id in view.get("leave", ()):
            self.objects.pop(id, None)
        for enter, tables in ((True, view.get("enter", ())), (False, view.get("change", ()))):
            for rows in tables:
                kind, columns = self._tables[rows[0]]
                for at in range(1, len(rows), len(columns)):
                    values = rows[at : at + len(columns)]
                    if enter:
                        self.objects[values[0]] = Object(kind=kind)
                    self.objects[values[0]].update(zip(columns, values))
