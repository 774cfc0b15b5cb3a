package aos

import "throng/world"

// Bytes implements mechanism.Sized: replicas and their past, what is told, the view, and what the links keep.
func (n *client) Bytes() int {
	sum := n.links.Bytes() + n.view.state.Size() + cap(n.buf)
	for i := range n.regions {
		sum += n.regions[i].bytesHeld()
	}
	return sum
}

func (x *region) bytesHeld() int {
	sum := cap(x.news)
	if x.replica != nil {
		sum += x.replica.follower.Bytes() + cap(x.replica.input) + sizes(x.past.states[:])
	}
	if x.pool != nil {
		sum += x.pool.bytesHeld()
	}
	if x.feed.receiver != nil {
		sum += x.feed.receiver.Bytes()
	}
	return sum + sizes([]*world.State{x.feed.known})
}

// Bytes implements mechanism.Sized: the area, what readers are told of it, and what the links keep.
func (n *server) Bytes() int {
	sum := n.links.Bytes() + n.replica.follower.Bytes() + cap(n.replica.input) + cap(n.buf)
	if n.publisher != nil {
		sum += n.publisher.bytesHeld()
	}
	return sum
}

func (p *publisher) bytesHeld() int {
	sum := p.table.Bytes() + p.field.Bytes() + sizes([]*world.State{p.shown}) + cap(p.buf)
	for _, r := range p.readers {
		sum += r.sender.Bytes()
	}
	return sum
}

func sizes(states []*world.State) (sum int) {
	for _, s := range states {
		if s != nil {
			sum += s.Size()
		}
	}
	return sum
}
