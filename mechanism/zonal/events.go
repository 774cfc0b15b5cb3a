package zonal

// What nodes report besides the names that all mechanisms share.
const (
	Delivered  = "delivered"  // a letter came that was not known; Seq is how often it was passed on, Value its age in nanoseconds
	Joined     = "joined"     // a peer has found a parent, on level Seq; Value is how many nanoseconds that took
	Activated  = "activated"  // a backup parent has become the parent; likewise
	Orphaned   = "orphaned"   // a peer has lost its parent
	Moved      = "moved"      // a peer's user is in another zone, Value
	Overloaded = "overloaded" // a tree has more nodes than its levels have room for, Value
)
