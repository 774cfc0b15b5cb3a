// MessagePack, as far as the protocol has it: maps are Dictionary<string, object>, arrays List<object>, numbers double.

using System;
using System.Collections;
using System.Collections.Generic;
using System.IO;
using System.Text;

namespace Throng
{
    public static class MsgPack
    {
        public static object Read(byte[] bytes)
        {
            var at = 0;
            return Value(bytes, ref at);
        }

        static object Value(byte[] b, ref int at)
        {
            int head = b[at++];
            if (head < 0x80) return (double)head;
            if (head < 0x90) return Map(b, ref at, head & 15);
            if (head < 0xa0) return Array(b, ref at, head & 15);
            if (head < 0xc0) return Text(b, ref at, head & 31);
            if (head >= 0xe0) return (double)(head - 256);
            switch (head)
            {
                case 0xc0: return null;
                case 0xc2: return false;
                case 0xc3: return true;
                case 0xca: return (double)BitConverter.ToSingle(Reversed(b, ref at, 4), 0);
                case 0xcb: return BitConverter.ToDouble(Reversed(b, ref at, 8), 0);
                case 0xcc: case 0xcd: case 0xce: case 0xcf: return (double)Number(b, ref at, 1 << (head - 0xcc));
                case 0xd0: return (double)(sbyte)Number(b, ref at, 1);
                case 0xd1: return (double)(short)Number(b, ref at, 2);
                case 0xd2: return (double)(int)Number(b, ref at, 4);
                case 0xd3: return (double)(long)Number(b, ref at, 8);
                case 0xd9: case 0xda: case 0xdb: return Text(b, ref at, (int)Number(b, ref at, 1 << (head - 0xd9)));
                case 0xdc: case 0xdd: return Array(b, ref at, (int)Number(b, ref at, 2 << (head - 0xdc)));
                case 0xde: case 0xdf: return Map(b, ref at, (int)Number(b, ref at, 2 << (head - 0xde)));
            }
            throw new FormatException("a value begins with " + head);
        }

        static ulong Number(byte[] b, ref int at, int size)
        {
            ulong n = 0;
            for (var i = 0; i < size; i++) n = n << 8 | b[at++];
            return n;
        }

        // Reversed is a number with its bytes as this machine has them.
        static byte[] Reversed(byte[] b, ref int at, int size)
        {
            var part = new byte[size];
            for (var i = 0; i < size; i++) part[BitConverter.IsLittleEndian ? size - 1 - i : i] = b[at++];
            return part;
        }

        static object Map(byte[] b, ref int at, int size)
        {
            var map = new Dictionary<string, object>();
            for (var i = 0; i < size; i++)
            {
                var key = (string)Value(b, ref at);
                map[key] = Value(b, ref at);
            }
            return map;
        }

        static object Array(byte[] b, ref int at, int size)
        {
            var list = new List<object>();
            for (var i = 0; i < size; i++) list.Add(Value(b, ref at));
            return list;
        }

        static string Text(byte[] b, ref int at, int size)
        {
            var text = Encoding.UTF8.GetString(b, at, size);
            at += size;
            return text;
        }

        public static byte[] Write(object value)
        {
            var to = new MemoryStream();
            Put(to, value);
            return to.ToArray();
        }

        static void Put(MemoryStream to, object value)
        {
            if (value == null) to.WriteByte(0xc0);
            else if (value is bool) to.WriteByte((byte)((bool)value ? 0xc3 : 0xc2));
            else if (value is string) Put(to, 0xdb, Encoding.UTF8.GetBytes((string)value), true);
            else if (value is IDictionary)
            {
                var map = (IDictionary)value;
                to.WriteByte(0xdf);
                Size(to, map.Count);
                foreach (DictionaryEntry entry in map) { Put(to, entry.Key); Put(to, entry.Value); }
            }
            else if (value is IList)
            {
                var list = (IList)value;
                to.WriteByte(0xdd);
                Size(to, list.Count);
                foreach (var item in list) Put(to, item);
            }
            else
            {
                var number = BitConverter.GetBytes(Convert.ToDouble(value));
                if (BitConverter.IsLittleEndian) System.Array.Reverse(number);
                Put(to, 0xcb, number, false);
            }
        }

        static void Put(MemoryStream to, byte head, byte[] bytes, bool sized)
        {
            to.WriteByte(head);
            if (sized) Size(to, bytes.Length);
            to.Write(bytes, 0, bytes.Length);
        }

        static void Size(MemoryStream to, int size)
        {
            for (var shift = 24; shift >= 0; shift -= 8) to.WriteByte((byte)(size >> shift));
        }
    }
}
