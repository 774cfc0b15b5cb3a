// Package prediction shows users their own actions at once, although a server decides what comes of them.
//
// A [Self] keeps a user's own objects in the user's view ahead of what the server has told, by as much as the user's actions
// take to be carried out there: so an action that is carried out in the view at once has in the view the same place in time
// as it will have on the server. It runs the world's own rules through a window in which only the user's objects may
// change; everything else is as it is shown.
//
// When the server tells how the user's objects are at a tick, after an action, Self looks up what it had expected then. If
// that was the same, all is well. If not, it starts again from what the server says and carries out anew what the server
// has not: the view is reconciled.
package prediction
