// Package rts is a world of real-time strategy: every user has a base and many avatars, which are in several places at once.
// What makes it hard to share is that a user's interest is not one circle around one avatar. There are two games.
//
// # The measured game
//
// This is the scenario of the AoS paper (section 6.1): a map of 1280 by 512 tiles, 60 users whose bases are anywhere on it,
// fifty avatars around each, forty ticks a second. Avatars do one thing: they go straight to where they are sent, a tile a
// tick, and stop there. Every tenth tick a user sends an avatar, any of its own, to a place that a mobility model chooses. The
// models work on grids of 16 by 16 tiles with weights from 1 to 10, which follow from the world's seed, and on 5 by 2 sub-maps.
//
//   - wi: a grid of the base's sub-map, by weight.
//   - wd: any grid, with a probability that falls with the square of its distance from the base. Less than a tile counts as
//     one.
//   - ww: one of the user's sub-maps of high interest, each as likely, then a grid of it by weight. The base's sub-map is
//     always one of them. How many there are the source takes from measurements that it shows as a drawing only; here 58% of
//     the users have one, 21% two, and so on in halves down to 2% with six, which keeps to what its text says.
//   - samovar: as ww, but of each sub-map the user visits sixteen grids of its own, by weights of its own.
//   - ww-50: half of the time as ww, half of the time a grid of any other sub-map, by weight.
//   - wwg: any grid, by weight.
//
// Two avatars touch that are nearer than a tile, which is twice an avatar's radius. Those that walk count whom they come to
// touch in the attribute "collisions". While they touch and still approach, they step aside; nobody is held up, and everybody
// ends exactly where they were sent. Avatars that stand cost a look a tick and nothing more. One avatar in ten is worth five
// others, and the base as much as fifty, so that an area manager has something to go by.
//
// # The playable game
//
// Workers gather ore and wood from fields, and bring them to a base. A base trains workers and sends carts, which become
// buildings where they stop: further bases, towers, which shoot, and barracks, which train soldiers, archers and riders on the
// account of a base in sight. Soldiers beat riders, riders beat archers and archers beat soldiers. A base can offer one
// resource for the other, and whoever's worker stands before it with a load can take the offer. Users see what is within
// sight of something of theirs. Who is on guard attacks whoever is armed, who marches attacks everybody.
//
// Artificial opponents come in three skills. They act on what their user could see, whatever the view shows, and give one
// command at a tick.
//
// # How it is divided
//
// What an object does in a step depends on what is within sight of it before the step and on nothing else. So the parts of a
// divided world, each of which sees a band of that width beyond its border, do exactly what the whole would do, as long as
// they know the band as it is. Workers, who go to and fro between places that need not see each other, know these as places
// and not as objects. Nor does an action look farther. It changes the object that it is for, and two change another besides:
// training at a barracks the base that pays, and a trade the base that is traded with, which is somebody else's and may be on
// the other side of a border. Where one of the two may not be changed neither is.
//
// Lengths are in tiles, places in commands in sixteenths of them, and all arithmetic is in integers.
package rts
