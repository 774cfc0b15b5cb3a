// Take part in a throng world from C#: .NET Standard 2.0 and nothing else, so that it fits Unity, Godot and plain .NET.
// The protocol is in docs/protocol.md. Everything happens in Poll, on the thread that calls it: call it once a frame.

using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Net.WebSockets;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Throng
{
    /// <summary>An object in view. Numbers are doubles, flags are bools.</summary>
    public sealed class Thing
    {
        public string Kind;
        public object Id;
        public int User;
        public readonly Dictionary<string, object> Fields = new Dictionary<string, object>();

        /// <summary>A field that is a number; 0 if there is none of that name.</summary>
        public double this[string name] => Fields.TryGetValue(name, out var v) && v is double d ? d : 0;

        internal double FromX, FromY, ToX, ToY, FromTime, ToTime;
    }

    public sealed class Options
    {
        public string Name;
        public double Rate;
        public Dictionary<string, string[]> Fields; // of which kinds, which fields; all unless given
        public bool Reconnect = true;
        public bool Packed; // MessagePack instead of JSON: fewer bytes
    }

    /// <summary>A user in a world, and what the user sees.</summary>
    public sealed class World : IDisposable
    {
        public const int Version = 2;

        public readonly Dictionary<object, Thing> Objects = new Dictionary<object, Thing>();
        public Dictionary<string, object> Schema { get; private set; }
        public int User { get; private set; }
        public double Time { get; private set; } // of the last view, in milliseconds
        public bool Ready { get; private set; }
        public bool Over { get; private set; }

        public event Action<Thing> Entered, Changed, Left;
        public event Action Viewed, Lost, Back;
        public event Action<int, string> Said;
        public event Action<int, string, string> Acknowledged; // an action's ID, its state, and why
        public event Action<string, string> Goodbye; // a code, and the reason

        readonly Uri uri;
        readonly Options options;
        readonly ConcurrentQueue<Action> inbox = new ConcurrentQueue<Action>();
        readonly Dictionary<double, Tuple<string, List<object>>> tables = new Dictionary<double, Tuple<string, List<object>>>();
        readonly CancellationTokenSource ending = new CancellationTokenSource();
        readonly SemaphoreSlim sending = new SemaphoreSlim(1);
        ClientWebSocket socket;
        string token;
        int acts, tries;
        double interval = 100, ahead = double.NegativeInfinity;

        public World(string url, Options options = null)
        {
            this.options = options ?? new Options();
            uri = new Uri(url.Replace("http", "ws").TrimEnd('/') + "/thin" + (this.options.Packed ? "?format=msgpack" : ""));
            Task.Run(Run);
        }

        /// <summary>Takes over what has come, and raises the events for it.</summary>
        public void Poll()
        {
            while (inbox.TryDequeue(out var happened)) happened();
        }

        public IEnumerable<Thing> Mine()
        {
            foreach (var o in Objects.Values) if (o.User == User) yield return o;
        }

        /// <summary>Does something, and returns the ID by which it is acknowledged.</summary>
        public int Act(string verb, Dictionary<string, object> args = null, object target = null)
        {
            var message = new Dictionary<string, object> { ["type"] = "act", ["id"] = ++acts, ["verb"] = verb };
            if (args != null) message["args"] = args;
            if (target != null) message["target"] = target;
            Send(message);
            return acts;
        }

        public void Say(string text) => Send(new Dictionary<string, object> { ["type"] = "say", ["text"] = text });

        public void Leave()
        {
            options.Reconnect = false;
            Send(new Dictionary<string, object> { ["type"] = "leave" });
        }

        /// <summary>Where an object was a moment ago, between the views around that moment: what to draw.</summary>
        public void Smooth(Thing o, out double x, out double y)
        {
            var part = o.ToTime > o.FromTime ? (Now() - 1.5 * interval - o.FromTime) / (o.ToTime - o.FromTime) : 1;
            part = Math.Max(0, Math.Min(1, part));
            x = o.FromX + part * (o.ToX - o.FromX);
            y = o.FromY + part * (o.ToY - o.FromY);
        }

        static double Clock() => System.Diagnostics.Stopwatch.GetTimestamp() * 1000.0 / System.Diagnostics.Stopwatch.Frequency;

        /// <summary>The world's time in milliseconds, as far as it is known.</summary>
        public double Now() => Clock() + ahead;

        public void Dispose() => ending.Cancel();

        async Task Run()
        {
            while (!ending.IsCancellationRequested)
            {
                try
                {
                    using (socket = new ClientWebSocket())
                    {
                        await socket.ConnectAsync(uri, ending.Token);
                        Send(Join());
                        await Hear();
                    }
                }
                catch (Exception) { } // however it is lost, it is lost
                socket = null;
                if (ending.IsCancellationRequested) return;
                if (token == null || !options.Reconnect || ++tries > 8)
                {
                    inbox.Enqueue(() => End("lost", "the connection was lost"));
                    return;
                }
                inbox.Enqueue(() => Lost?.Invoke());
                await Task.Delay(Math.Min(100 << tries, 4000));
            }
        }

        Dictionary<string, object> Join()
        {
            var join = new Dictionary<string, object> { ["type"] = "join", ["version"] = Version };
            if (options.Name != null) join["name"] = options.Name;
            if (options.Rate > 0) join["rate"] = options.Rate;
            if (options.Fields != null) join["fields"] = options.Fields;
            if (token != null) join["token"] = token;
            return join;
        }

        async Task Hear()
        {
            var buffer = new byte[16 << 10];
            var text = new System.IO.MemoryStream();
            while (socket.State == WebSocketState.Open)
            {
                var part = await socket.ReceiveAsync(new ArraySegment<byte>(buffer), ending.Token);
                if (part.MessageType == WebSocketMessageType.Close) return;
                text.Write(buffer, 0, part.Count);
                if (!part.EndOfMessage) continue;
                var message = Named(options.Packed ? MsgPack.Read(text.ToArray()) : Json.Read(Encoding.UTF8.GetString(text.ToArray())));
                text.SetLength(0);
                if (Is(message, "welcome")) { token = (string)message["token"]; tries = 0; }
                if (Is(message, "goodbye") && (string)message["code"] == "stranger" && token != null) { token = null; continue; }
                if (Is(message, "goodbye")) ending.Cancel();
                inbox.Enqueue(() => Take(message));
            }
        }

        static readonly string[] parts = { "view", "change", "enter", "leave", "tables" };

        // Named is a message as a map: views are arrays in MessagePack.
        static Dictionary<string, object> Named(object message)
        {
            var list = message as List<object>;
            if (list == null) return (Dictionary<string, object>)message;
            var map = new Dictionary<string, object>();
            for (var i = 0; i < list.Count && i < parts.Length; i++) map[parts[i]] = list[i];
            return map;
        }

        static bool Is(Dictionary<string, object> message, string type) => message.TryGetValue("type", out var t) && (string)t == type;

        void Send(Dictionary<string, object> message)
        {
            var to = socket;
            var bytes = new ArraySegment<byte>(options.Packed ? MsgPack.Write(message) : Encoding.UTF8.GetBytes(Json.Write(message)));
            Task.Run(async () =>
            {
                await sending.WaitAsync();
                try { if (to != null) await to.SendAsync(bytes, options.Packed ? WebSocketMessageType.Binary : WebSocketMessageType.Text, true, ending.Token); }
                catch (Exception) { } // it is noticed by whoever hears
                finally { sending.Release(); }
            });
        }

        void Take(Dictionary<string, object> m)
        {
            if (m.ContainsKey("view")) { View(m); return; }
            switch ((string)m["type"])
            {
                case "welcome":
                    var back = Schema != null;
                    Schema = m;
                    User = (int)(double)m["user"];
                    tables.Clear();
                    foreach (var o in Objects.Values) Left?.Invoke(o);
                    Objects.Clear();
                    if (back) Back?.Invoke();
                    break;
                case "ready": Ready = true; break;
                case "ack": Acknowledged?.Invoke((int)(double)m["id"], (string)m["state"], m.TryGetValue("reason", out var why) ? (string)why : null); break;
                case "said": Said?.Invoke((int)(double)m["user"], (string)m["text"]); break;
                case "goodbye": End((string)m["code"], (string)m["reason"]); break;
            }
        }

        void End(string code, string reason)
        {
            if (Over) return;
            Over = true;
            Goodbye?.Invoke(code, reason);
        }

        static List<object> List(Dictionary<string, object> m, string key) => m.TryGetValue(key, out var v) ? (List<object>)v : new List<object>();

        void View(Dictionary<string, object> m)
        {
            var time = (double)m["view"];
            if (Time > 0) interval += (Math.Min(time - Time, 1000) - interval) / 8;
            Time = time;
            ahead = Math.Max(time - Clock(), ahead - 0.01);
            foreach (List<object> t in List(m, "tables")) tables[(double)t[0]] = Tuple.Create((string)t[1], (List<object>)t[2]);
            foreach (var id in List(m, "leave"))
            {
                if (!Objects.TryGetValue(id, out var o)) continue;
                Objects.Remove(id);
                Left?.Invoke(o);
            }
            foreach (List<object> rows in List(m, "enter")) Rows(rows, true);
            foreach (List<object> rows in List(m, "change")) Rows(rows, false);
            Viewed?.Invoke();
        }

        void Rows(List<object> rows, bool enter)
        {
            var table = tables[(double)rows[0]];
            var columns = table.Item2;
            for (var at = 1; at < rows.Count; at += columns.Count)
            {
                var o = enter ? Objects[rows[at]] = new Thing { Kind = table.Item1, Id = rows[at] } : Objects[rows[at]];
                for (var i = 1; i < columns.Count; i++)
                {
                    if ((string)columns[i] == "user") o.User = (int)(double)rows[at + i];
                    else o.Fields[(string)columns[i]] = rows[at + i];
                }
                o.FromX = enter ? o["x"] : o.ToX;
                o.FromY = enter ? o["y"] : o.ToY;
                o.FromTime = Math.Max(o.ToTime, Time - interval); // what moves after a rest was where it was until a view ago
                o.ToX = o["x"];
                o.ToY = o["y"];
                o.ToTime = Time;
                (enter ? Entered : Changed)?.Invoke(o);
            }
        }
    }
}
