// Package rts is a world of real-time strategy: every user has a base and many avatars in several places.
package rts
