package latejoin

import "fmt"

// DescribeAsk says what is asked, for transcripts.
func DescribeAsk(payload []byte) string {
	a, err := readAsk(payload)
	if err != nil {
		return err.Error()
	}
	if a.sum == 0 {
		return fmt.Sprintf("epoch %d asks for a snapshot", a.epoch)
	}
	text := fmt.Sprintf("epoch %d asks for snapshot %04x, chunks", a.epoch, uint16(a.sum))
	for i := range windowChunks {
		if a.mask&(1<<i) != 0 {
			text += fmt.Sprintf(" %d", a.base+i)
		}
	}
	return text
}

// DescribeChunk says what is answered, for transcripts.
func DescribeChunk(payload []byte) string {
	c, err := readChunk(payload)
	if err != nil {
		return err.Error()
	}
	if c.size == 0 {
		if c.fresh {
			return fmt.Sprintf("nothing to tell epoch %d, being new", c.epoch)
		}
		return fmt.Sprintf("nothing to tell epoch %d now", c.epoch)
	}
	return fmt.Sprintf("chunk %d of 0-%d of snapshot %04x for epoch %d", c.index, chunks(c.size)-1, uint16(c.sum), c.epoch)
}
