// Package aos shares a world by areas of simulation beside areas of update, for worlds in which a user has many avatars in
// several places. The map is cut into areas with a server each. For each user every area is one that the user's client
// simulates itself, in lockstep with the server; one of which it is sent what its user sees; or one that it ignores.
//
//	guarantees  replicas of an area are equal at equal ticks; what is told, and what is near borders, is right in the end;
//	            every object has one server, and an action that touches several servers' objects is done as a whole or not
//	delay       own doings some turns (the delay); others' that and the way from the server; over a border some more turns
//	bytes       per client and turn what users do in its areas, what moves near their borders (3 to 12 an object), 6 of orders;
//	            per tick what moves in sight elsewhere (8 to 10 an object)
//	cpu         each server and client steps its own areas only
//	fails when  a server dies, and with it its area; everybody roams everywhere, so that updates are most of what is sent
//	client dies its area waits for as long as patience lasts; after the time-out its user leaves
//	server dies its area is lost; others give it up, go on, and repeat nothing to it; where another takes its place the area is
//	            again as it was at the start, which is reported, and what had crossed its borders since may be lost; what it had
//	            agreed on with others it goes through with, from its record
//
// # Time
//
// Time falls into turns of several ticks (package turn). What users do in a turn is ordered by the server of the area that it
// is done in, and carried out some turns later: the delay. The server sends the orders of a turn to all who simulate the area
// when the turn begins. A client is done with a turn when the orders of the next one arrive, and says so; what its user did
// meanwhile has been sent before. A server begins a turn when all who simulate the area are done with the turn in which they
// could last act on it, and when its neighbours have told it what it needs. Where one of them is late the area stands still,
// and runs faster afterwards until it is back in time.
//
// Delays are the same for all, or follow the latency of each client; then a bound of fairness keeps the near from acting much
// sooner than the far (delays.go).
//
// # Areas and their borders
//
// An object belongs to the area that its place is in; only that area moves it. An area also knows the objects of its neighbours
// within reach of its border, which stand still between two turns: at the end of a turn servers tell each other what has changed
// near the border (package area), and use it after the delay. An object that leaves its area stands still from then on, in
// everybody's eyes, and is handed over with what is told of the border; it goes on with its new server.
//
// Whatever becomes of an area, by users, by the word of other servers or by agreement with them, is in the orders of a turn:
// so the server and everybody else who simulates the area do the same (orders.go, replica.go). Where a client simulates a
// neighbour too, the orders only say which turn of it to take objects from (past.go).
//
// An action that may change objects of several servers is coordinated by the one it came to: all hold their objects, the
// coordinator works out the result, and they let it happen in their next turns (commits.go, ledger.go). What is decided and what
// is promised outlives a server that crashes.
//
// # Who simulates what
//
// A client begins with the area that holds most of what its user has. From time to time it ranks all areas by the user's
// attention (manage.go) and asks servers to let it begin or cease to simulate them; servers let only so many do so at a time.
// To begin, it is sent a snapshot while the area goes on, then what has changed meanwhile, and so on, until that is little;
// then the area stands still for one round trip, and they go on together (promote.go, fetch.go). A client that keeps an area
// waiting ceases to simulate it, and leaves it alone for a while. Now and then clients tell what an area was like; one that has it
// otherwise than the server is sent it anew.
//
// # Updates
//
// Who does not simulate an area is sent the states of what its user sees there (packages sight and update), by the server or,
// with a forwarding pool, by one of the clients that simulate it (publish.go). With levels of detail only what is worth most,
// and what is around an object that its user has just given a command, is sent each tick (detail.go). Receivers let objects go
// on as the rules guess, so that only what turns out otherwise need be sent (belief.go).
//
// # Trust
//
// A server believes a client nothing but what its user wants, that it has received something, and that it is done with a
// turn. A client believes servers; with a forwarding pool it also believes other clients what they tell of an area. Who
// simulates an area knows all of it, whatever the world would veil from its user.
//
// # The source
//
// Shen, Hu, Iosup and Epema, Area of Simulation (2015). We depart from it in this: servers of areas that stand still are not
// waited for, as there, but nor is any other for longer than patience allows; delays between servers are those of commands
// where they are static; who tells a client of an area in a pool stays the same while it can, since differences are sent to
// what the client has acknowledged; and what moves as the rules foresee is not told, neither across borders nor in updates,
// unless that is switched off.
package aos
