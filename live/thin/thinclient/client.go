// Package thinclient is a program that speaks the thin protocol, for tests and load: in other languages see the folder sdk.
package thinclient

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/lxzan/gws"
	"github.com/tinylib/msgp/msgp"

	"throng/live/thin"
)

// Client is a connection. What it hears is in Messages, which is closed at the end.
type Client struct {
	gws.BuiltinEventHandler
	Messages chan Message
	Skip     bool         // leave out views, as a load that measures elsewhere does; set before anything comes
	Frames   atomic.Int64 // messages so far

	conn   *gws.Conn
	format thin.Format
}

// Message is what the server says, by its keys. Numbers are float64, whatever they were written as.
type Message map[string]any

// Type is what sort of message it is.
func (m Message) Type() string {
	if m["view"] != nil {
		return "view"
	}
	t, _ := m["type"].(string)
	return t
}

// waitMax is how many messages may wait in Messages; more make the server wait.
const waitMax = 256

// Dial connects to the server at an HTTP address.
func Dial(url string, format thin.Format, header http.Header) (*Client, error) {
	c := &Client{Messages: make(chan Message, waitMax), format: format}
	query := "?format=json"
	if format == thin.MessagePack {
		query = "?format=msgpack"
	}
	conn, _, err := gws.NewClient(c, &gws.ClientOption{
		Addr: "ws" + strings.TrimPrefix(url, "http") + "/thin" + query, RequestHeader: header, HandshakeTimeout: 10 * time.Second,
	})
	if err != nil {
		return nil, err
	}
	c.conn = conn
	go conn.ReadLoop()
	return c, nil
}

// OnMessage implements gws.Event.
func (c *Client) OnMessage(_ *gws.Conn, m *gws.Message) {
	defer m.Close()
	c.Frames.Add(1)
	if b := m.Bytes(); c.Skip && (bytes.HasPrefix(b, []byte(`{"view"`)) || len(b) > 0 && b[0]&0xf0 == 0x90) {
		return
	}
	message, err := Parse(c.format, m.Bytes())
	if err != nil {
		message = Message{"type": "unreadable", "error": err.Error()}
	}
	c.Messages <- message
}

// OnClose implements gws.Event.
func (c *Client) OnClose(*gws.Conn, error) { close(c.Messages) }

// Parse reads a message.
func Parse(format thin.Format, b []byte) (m Message, err error) {
	if format == thin.JSON {
		err = json.Unmarshal(b, &m)
		return m, err
	}
	v, rest, err := msgp.ReadIntfBytes(b)
	if err == nil && len(rest) > 0 {
		err = errors.New("more than one value")
	}
	switch v := plain(v).(type) {
	case map[string]any:
		return v, err
	case []any: // a view
		m = Message{}
		for i, part := range v[:min(len(v), len(viewParts))] {
			if l, ok := part.([]any); !ok || len(l) > 0 {
				m[viewParts[i]] = part
			}
		}
		return m, err
	}
	return nil, fmt.Errorf("neither a map nor an array: %w", err)
}

// viewParts are what the elements of a view in MessagePack are called in JSON.
var viewParts = [...]string{"view", "change", "enter", "leave", "tables"}

// plain has numbers as JSON has them.
func plain(v any) any {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case uint64:
		return float64(v)
	case float32:
		return float64(v)
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = plain(v[key])
		}
	}
	return v
}

// Say sends a message.
func (c *Client) Say(m Message) error {
	if c.format == thin.JSON {
		b, err := json.Marshal(m)
		if err != nil {
			return err
		}
		return c.conn.WriteMessage(gws.OpcodeText, b)
	}
	b, err := msgp.AppendIntf(nil, map[string]any(m))
	if err != nil {
		return err
	}
	return c.conn.WriteMessage(gws.OpcodeBinary, b)
}

// Raw sends bytes as a message, whatever they are.
func (c *Client) Raw(b []byte) error {
	op := gws.OpcodeBinary
	if c.format == thin.JSON {
		op = gws.OpcodeText
	}
	return c.conn.WriteMessage(op, b)
}

// Text sends a text, whatever the format.
func (c *Client) Text(s string) error { return c.conn.WriteString(s) }

// Close cuts the connection.
func (c *Client) Close() { c.conn.NetConn().Close() }

// Object is what a program knows of one: its fields by their names, with "kind" and "id" among them.
type Object map[string]any

// View is what a program was told to be in view.
type View struct {
	Objects map[any]Object // by ID
	Time    float64        // the world's, in milliseconds
	tables  map[any]layout
}

// layout is what the values of a table's rows stand for.
type layout struct {
	kind    string
	columns []string
}

// NewView returns an empty view.
func NewView() *View { return &View{Objects: map[any]Object{}, tables: map[any]layout{}} }

// Apply takes over a message of the type view.
func (v *View) Apply(m Message) error {
	v.Time, _ = m["view"].(float64)
	for _, t := range list(m["tables"]) {
		parts := list(t)
		if len(parts) != 3 {
			return fmt.Errorf("table %v", t)
		}
		kind, _ := parts[1].(string)
		var columns []string
		for _, name := range list(parts[2]) {
			text, _ := name.(string)
			columns = append(columns, text)
		}
		v.tables[parts[0]] = layout{kind, columns}
	}
	for _, id := range list(m["leave"]) {
		if v.Objects[id] == nil {
			return fmt.Errorf("object %v leaves and was not there", id)
		}
		delete(v.Objects, id)
	}
	if err := v.rows(m["enter"], true); err != nil {
		return err
	}
	return v.rows(m["change"], false)
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}

func (v *View) rows(tables any, enter bool) error {
	for _, t := range list(tables) {
		values := list(t)
		if len(values) == 0 {
			return errors.New("rows without a table")
		}
		l, known := v.tables[values[0]]
		if width := len(l.columns); !known || (len(values)-1)%width != 0 {
			return fmt.Errorf("table %v is not known, or a row is not whole", values[0])
		}
		for at := 1; at < len(values); at += len(l.columns) {
			o := v.Objects[values[at]]
			if (o == nil) != enter {
				return fmt.Errorf("object %v: enters %t, is known %t", values[at], enter, o != nil)
			}
			if enter {
				o = Object{"kind": l.kind}
				v.Objects[values[at]] = o
			}
			for i, name := range l.columns {
				o[name] = values[at+i]
			}
		}
	}
	return nil
}

// Of returns an object of a user, or nil.
func (v *View) Of(user any) Object {
	for _, o := range v.Objects {
		if o["user"] == user {
			return o
		}
	}
	return nil
}
