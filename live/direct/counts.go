package direct

// Counts are what a switch has done.
type Counts struct {
	Open    int   `json:"open"`    // connections now
	Opened  int64 `json:"opened"`  // in all
	Failed  int64 `json:"failed"`  // that did not come about
	Direct  int64 `json:"direct"`  // datagrams that went directly
	Relayed int64 `json:"relayed"` // datagrams to peers that went by the gateway
	Dropped int64 `json:"dropped"` // what came and was malformed, too large or too much
}

// Add adds another's counts.
func (c *Counts) Add(o Counts) {
	c.Open += o.Open
	c.Opened += o.Opened
	c.Failed += o.Failed
	c.Direct += o.Direct
	c.Relayed += o.Relayed
	c.Dropped += o.Dropped
}

// Share is the share of datagrams to peers that went directly.
func (c *Counts) Share() float64 {
	if c.Direct+c.Relayed == 0 {
		return 0
	}
	return float64(c.Direct) / float64(c.Direct+c.Relayed)
}
