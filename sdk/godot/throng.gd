# Take part in a throng world from Godot 3. The protocol is in docs/protocol.md. Call poll() once a frame, such as in _process.
extends Reference

signal entered(object)
signal changed(object)
signal left(object)
signal viewed()
signal said(user, text)
signal acknowledged(id, state, reason)
signal goodbye(code, reason)

const VERSION = 2

var objects = {} # by ID: dictionaries of fields, with kind, id and user
var schema = null
var user = 0
var time = 0.0
var ready = false
var over = false

var _url
var _wishes
var _token = ""
var _socket = null
var _past = null
var _tables = {}
var _acts = 0
var _tries = 0
var _again = 0 # when to connect again, in milliseconds

func _init(url, wishes = {}):
	_url = url.replace("http", "ws") + "/thin"
	_wishes = wishes
	_connect()

func poll():
	if _socket != null:
		_socket.poll()
	elif not over and OS.get_ticks_msec() >= _again:
		_connect()

func mine():
	var list = []
	for o in objects.values():
		if o.user == user:
			list.append(o)
	return list

func act(verb, args = {}, target = null):
	_acts += 1
	var message = {"type": "act", "id": _acts, "verb": verb, "args": args}
	if target != null:
		message.target = target
	_send(message)
	return _acts

func say(text):
	_send({"type": "say", "text": text})

func leave():
	_send({"type": "leave"})

func _connect():
	_socket = WebSocketClient.new()
	_socket.connect("connection_established", self, "_opened")
	_socket.connect("data_received", self, "_heard")
	_socket.connect("connection_closed", self, "_closed")
	_socket.connect("connection_error", self, "_closed")
	if _socket.connect_to_url(_url) != OK:
		_closed()

func _opened(_protocol):
	_socket.get_peer(1).set_write_mode(WebSocketPeer.WRITE_MODE_TEXT)
	var join = {"type": "join", "version": VERSION}
	for key in _wishes:
		join[key] = _wishes[key]
	if _token != "":
		join.token = _token
	_send(join)

func _closed(_clean = false):
	_past = _socket # it is still at telling us
	_socket = null
	_tries += 1
	if over:
		return
	if _token == "" or _tries > 8:
		_end("lost", "the connection was lost")
	_again = OS.get_ticks_msec() + min(100 << _tries, 4000)

func _send(message):
	if _socket != null:
		_socket.get_peer(1).put_packet(to_json(message).to_utf8())

func _heard():
	var m = parse_json(_socket.get_peer(1).get_packet().get_string_from_utf8())
	if m.has("view"):
		_view(m)
		return
	match m.type:
		"welcome":
			schema = m
			user = m.user
			_token = m.token
			_tries = 0
			_tables = {}
			for o in objects.values():
				emit_signal("left", o)
			objects = {}
		"ready":
			ready = true
		"ack":
			emit_signal("acknowledged", m.id, m.state, m.get("reason", ""))
		"said":
			emit_signal("said", m.user, m.text)
		"goodbye":
			if m.code == "stranger" and _token != "":
				_token = "" # the seat was kept for too long a time: as somebody new, then
			else:
				_end(m.code, m.reason)

func _end(code, reason):
	if not over:
		over = true
		emit_signal("goodbye", code, reason)

func _view(m):
	time = m.view
	for t in m.get("tables", []):
		_tables[t[0]] = {"kind": t[1], "columns": t[2]}
	for id in m.get("leave", []):
		if objects.has(id):
			var o = objects[id]
			objects.erase(id)
			emit_signal("left", o)
	for rows in m.get("enter", []):
		_rows(rows, "entered")
	for rows in m.get("change", []):
		_rows(rows, "changed")
	emit_signal("viewed")

func _rows(rows, what):
	var table = _tables[rows[0]]
	var width = table.columns.size()
	for at in range(1, rows.size(), width):
		var o = {"kind": table.kind} if what == "entered" else objects[rows[at]]
		for i in range(width):
			o[table.columns[i]] = rows[at + i]
		objects[rows[at]] = o
		emit_signal(what, o)
