package world

import (
	"testing"

	"throng/world/random"
	"throng/world/wire"
)

// The fuzz targets hold every decoder to the same promise: it does not panic, whatever it is given, and what it accepts
// can be written and read again without change.

func FuzzDecode(f *testing.F) {
	f.Add(NewState(testSchema, 7).Append(nil))
	for _, n := range []int{1, 2, 3 * pageObjects} {
		s, _ := flock(n)
		s.Put(Object{ID: 1 << 60, Kind: kindStone})
		f.Add(s.Append(nil))
	}
	f.Fuzz(func(t *testing.T, msg []byte) {
		r := wire.NewReader(msg)
		s, err := Decode(testSchema, &r)
		if err != nil {
			return
		}
		r = wire.NewReader(s.Append(nil))
		again, err := Decode(testSchema, &r)
		if err != nil || r.Done() != nil || again.Hash() != s.Hash() {
			t.Errorf("decoded, encoded and decoded again: %v, %v", err, r.Done())
		}
	})
}

func FuzzApplyDiff(f *testing.F) {
	base, _ := flock(2 * pageObjects)
	f.Add(AppendDiff(nil, base, base))
	f.Add(AppendDiff(nil, base, NewState(testSchema, 3)))
	changed := base.Clone()
	newToucher(changed).touch(changed, 3)
	changed.Remove(5)
	changed.Put(Object{ID: 6, Kind: kindStone})
	changed.Put(Object{ID: 99, User: 2})
	changed.SetTick(-4)
	f.Add(AppendDiff(nil, base, changed))
	changed.Release()
	f.Fuzz(func(t *testing.T, msg []byte) {
		s := base.Clone()
		r := wire.NewReader(msg)
		if s.ApplyDiff(&r) == nil {
			again := base.Clone()
			r = wire.NewReader(AppendDiff(nil, base, s))
			if err := again.ApplyDiff(&r); err != nil || r.Done() != nil || again.Hash() != s.Hash() {
				t.Errorf("applied, written and applied again: %v, %v", err, r.Done())
			}
			again.Release()
		}
		s.Release()
		if base.pool.live != len(base.pages) {
			t.Errorf("%d pages live of %d", base.pool.live, len(base.pages))
		}
	})
}

func FuzzReadAction(f *testing.F) {
	f.Add(AppendAction(nil, &Action{}))
	f.Add(AppendAction(nil, &Action{User: 3, Seq: 9, Verb: 1, Target: 77, Args: [MaxArgs]int64{1, -2, 0, 0, 0, 1 << 62}}))
	f.Add(AppendAction(nil, &Action{User: 1<<32 - 1, Seq: 1, Verb: Leave}))
	f.Fuzz(func(t *testing.T, msg []byte) {
		r := wire.NewReader(msg)
		a := ReadAction(&r)
		if r.Failed() {
			return
		}
		if testSchema.CheckAction(&a) == nil {
			NewWindow(NewState(testSchema, 0)).Do(drifting{}, &a)
		}
		r = wire.NewReader(AppendAction(nil, &a))
		if again := ReadAction(&r); again != a || r.Done() != nil {
			t.Errorf("%+v became %+v (%v)", a, again, r.Done())
		}
	})
}

func FuzzReadObject(f *testing.F) {
	r := random.New(1, "fuzz")
	base := bird(1, &r)
	for _, p := range []Precision{Exact, Rounded} {
		o := bird(1, &r)
		f.Add(testSchema.AppendObject(nil, &o, nil, p), bool(p), false)
		f.Add(testSchema.AppendObject(nil, &o, &base, p), bool(p), true)
		f.Add(testSchema.AppendObject(nil, &Object{Kind: kindStone}, &base, p), bool(p), true)
	}
	f.Fuzz(func(t *testing.T, msg []byte, rounded, based bool) {
		var against *Object
		if based {
			against = &base
		}
		r := wire.NewReader(msg)
		o := testSchema.ReadObject(&r, against, Precision(rounded))
		if r.Failed() {
			return
		}
		r = wire.NewReader(testSchema.AppendObject(nil, &o, against, Precision(rounded)))
		if again := testSchema.ReadObject(&r, against, Precision(rounded)); again != o || r.Done() != nil {
			t.Errorf("%+v became %+v (%v)", o, again, r.Done())
		}
	})
}
