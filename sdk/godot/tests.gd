# The client that docs/protocol.md wants for conformance, and one that plays in a real world:
#   godot3-server --path sdk/godot -s tests.gd conform|live URL
extends SceneTree

var Throng = load("res://throng.gd")
var ada
var eve
var live
var step = 0
var start = 0.0
var acks = {}
var heard = ""
var began = OS.get_ticks_msec()

func _init():
	var args = OS.get_cmdline_args()
	var url = args[args.size() - 1]
	live = args[args.size() - 2] == "live"
	ada = Throng.new(url, {"name": "Ada" if live else "conform"})
	ada.connect("goodbye", self, "_goodbye")
	ada.connect("acknowledged", self, "_acknowledged")
	if live:
		eve = Throng.new(url, {"name": "Eve"})
		eve.connect("said", self, "_said")
	else:
		ada.connect("viewed", self, "_report")

func _idle(_delta):
	ada.poll()
	if live:
		eve.poll()
		play()
	if OS.get_ticks_msec() - began > 45000:
		printerr("it takes too long, at step ", step)
		quit(1)
	return false

func _report():
	var sum = 0.0
	for o in ada.objects.values():
		sum += o.x
	ada.act("report", {"objects": ada.objects.size(), "sum": round(sum), "mine": ada.mine().size()})

func _goodbye(code, reason):
	if code != "left":
		printerr(code, ": ", reason)
	quit(0 if code == "left" else 1)

func _acknowledged(id, state, _reason):
	acks[int(id)] = state

func _said(user, text):
	if user == ada.user:
		heard = text

func seen(world, user):
	for o in world.objects.values():
		if o.user == user and o.kind == "walker":
			return o
	return null

func play():
	match step:
		0:
			if ada.ready and eve.ready and seen(ada, ada.user) != null and seen(eve, ada.user) != null:
				start = seen(ada, ada.user).x
				ada.act("walk", {"vx": 150 if start < 20 else -150, "vy": 0})
				ada.act("fly")
				step = 1
		1:
			if acks.get(2, "") == "refused" and acks.has(1) and seen(eve, ada.user) != null and abs(seen(eve, ada.user).x - start) > 0.5:
				ada.say("hello")
				step = 2
		2:
			if heard == "hello":
				ada.leave()
				step = 3
