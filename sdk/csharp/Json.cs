// JSON, as .NET Standard 2.0 has none: maps are Dictionary<string, object>, arrays List<object>, numbers double.

using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace Throng
{
    public static class Json
    {
        public static object Read(string text)
        {
            var at = 0;
            return Value(text, ref at);
        }

        static object Value(string s, ref int at)
        {
            Skip(s, ref at);
            switch (s[at])
            {
                case '{': return Map(s, ref at);
                case '[': return Array(s, ref at);
                case '"': return Text(s, ref at);
                case 't': at += 4; return true;
                case 'f': at += 5; return false;
                case 'n': at += 4; return null;
            }
            var start = at;
            while (at < s.Length && "+-.eE0123456789".IndexOf(s[at]) >= 0) at++;
            return double.Parse(s.Substring(start, at - start), CultureInfo.InvariantCulture);
        }

        static void Skip(string s, ref int at)
        {
            while (char.IsWhiteSpace(s[at])) at++;
        }

        // More passes a comma, or the end of a map or an array.
        static bool More(string s, ref int at, char end, bool first)
        {
            Skip(s, ref at);
            if (s[at] == end) { at++; return false; }
            if (!first) at++;
            Skip(s, ref at);
            return true;
        }

        static object Map(string s, ref int at)
        {
            var map = new Dictionary<string, object>();
            at++;
            while (More(s, ref at, '}', map.Count == 0))
            {
                var key = Text(s, ref at);
                Skip(s, ref at);
                at++; // the colon
                map[key] = Value(s, ref at);
            }
            return map;
        }

        static object Array(string s, ref int at)
        {
            var list = new List<object>();
            at++;
            while (More(s, ref at, ']', list.Count == 0)) list.Add(Value(s, ref at));
            return list;
        }

        static string Text(string s, ref int at)
        {
            var b = new StringBuilder();
            for (at++; s[at] != '"'; at++)
            {
                if (s[at] != '\\') { b.Append(s[at]); continue; }
                switch (s[++at])
                {
                    case 'n': b.Append('\n'); break;
                    case 't': b.Append('\t'); break;
                    case 'r': b.Append('\r'); break;
                    case 'b': b.Append('\b'); break;
                    case 'f': b.Append('\f'); break;
                    case 'u':
                        b.Append((char)int.Parse(s.Substring(at + 1, 4), NumberStyles.HexNumber, CultureInfo.InvariantCulture));
                        at += 4;
                        break;
                    default: b.Append(s[at]); break;
                }
            }
            at++;
            return b.ToString();
        }

        public static string Write(object value)
        {
            var b = new StringBuilder();
            Put(b, value);
            return b.ToString();
        }

        static void Put(StringBuilder b, object value)
        {
            if (value == null) b.Append("null");
            else if (value is bool) b.Append((bool)value ? "true" : "false");
            else if (value is string) Quote(b, (string)value);
            else if (value is IDictionary) PutMap(b, (IDictionary)value);
            else if (value is IEnumerable) PutList(b, (IEnumerable)value);
            else b.Append(((IConvertible)value).ToString(CultureInfo.InvariantCulture));
        }

        static void PutMap(StringBuilder b, IDictionary map)
        {
            b.Append('{');
            foreach (DictionaryEntry e in map)
            {
                if (b[b.Length - 1] != '{') b.Append(',');
                Quote(b, (string)e.Key);
                b.Append(':');
                Put(b, e.Value);
            }
            b.Append('}');
        }

        static void PutList(StringBuilder b, IEnumerable list)
        {
            b.Append('[');
            foreach (var v in list)
            {
                if (b[b.Length - 1] != '[') b.Append(',');
                Put(b, v);
            }
            b.Append(']');
        }

        static void Quote(StringBuilder b, string text)
        {
            b.Append('"');
            foreach (var c in text)
            {
                if (c == '"' || c == '\\') b.Append('\\').Append(c);
                else if (c < ' ') b.Append("\\u").Append(((int)c).ToString("x4"));
                else b.Append(c);
            }
            b.Append('"');
        }
    }
}
