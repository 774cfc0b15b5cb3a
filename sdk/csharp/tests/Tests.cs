// The client that docs/protocol.md wants for conformance, and one that plays in a real world: mono tests.exe conform|live [--msgpack] URL
using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using Throng;

static class Tests
{
    static int Main(string[] args)
    {
        packed = args[1] == "--msgpack";
        return args[0] == "conform" ? Conform(args.Last()) : Live(args.Last());
    }

    static bool packed;

    static int Conform(string url)
    {
        var world = new World(url, new Options { Name = "conform", Packed = packed });
        var code = "";
        world.Viewed += () => world.Act("report", new Dictionary<string, object> {
            ["objects"] = world.Objects.Count,
            ["sum"] = Math.Round(world.Objects.Values.Sum(o => o["x"])),
            ["mine"] = world.Mine().Count(),
        });
        world.Goodbye += (c, _) => code = c;
        Until(() => world.Over, "the goodbye", world);
        return code == "left" ? 0 : 1;
    }

    static int Live(string url)
    {
        World ada = new World(url, new Options { Name = "Ada", Packed = packed }), eve = new World(url, new Options { Name = "Eve", Packed = packed });
        var heard = "";
        var acks = new Dictionary<int, string>();
        eve.Said += (user, text) => { if (user == ada.User) heard = text; };
        ada.Acknowledged += (id, state, _) => acks[id] = state;
        Func<World, int, Thing> seen = (w, user) => w.Objects.Values.FirstOrDefault(o => o.User == user && o.Kind == "walker");
        Until(() => ada.Ready && eve.Ready && seen(ada, ada.User) != null && seen(ada, eve.User) != null && seen(eve, ada.User) != null, "both are there", ada, eve);
        var start = seen(ada, ada.User)["x"];
        var walk = ada.Act("walk", new Dictionary<string, object> { ["vx"] = start < 20 ? 150 : -150, ["vy"] = 0 });
        Until(() => acks.ContainsKey(walk) && acks[walk] != "refused" && Math.Abs(seen(eve, ada.User)["x"] - start) > 0.5, "the walk is seen", ada, eve);
        double x, y;
        eve.Smooth(seen(eve, ada.User), out x, out y);
        if (Math.Abs(x - start) > 5) throw new Exception("shown at " + x + ", began at " + start);
        var fly = ada.Act("fly");
        Until(() => acks.ContainsKey(fly), "flying is answered", ada, eve);
        if (acks[fly] != "refused") throw new Exception("flew");
        ada.Say("hello");
        Until(() => heard == "hello", "the word is heard", ada, eve);
        eve.Leave();
        Until(() => eve.Over && seen(ada, eve.User) == null, "eve has left", ada, eve);
        ada.Leave();
        Until(() => ada.Over, "ada has left", ada);
        return 0;
    }

    static void Until(Func<bool> so, string what, params World[] worlds)
    {
        for (var i = 0; !so(); i++)
        {
            if (i > 3000) throw new Exception("not in time: " + what);
            foreach (var w in worlds) w.Poll();
            Thread.Sleep(10);
        }
    }
}
