package footer_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"runtime"
	"testing"

	"cdcseed/engine/schema"
	"cdcseed/engine/splice/footer"
)

// everyType asks a footer for the statistics of each of its leaves, as any type.
var everyType = []schema.Type{
	{Kind: schema.Boolean},
	{Kind: schema.Short},
	{Kind: schema.Long},
	{Kind: schema.Double},
	schema.DecimalOf(38, 2),
	{Kind: schema.Date},
	{Kind: schema.Timestamp},
	{Kind: schema.String},
	{Kind: schema.Binary},
}

// reached counts how far files came, so that a test whose files all end early fails.
type reached struct{ read, faulty, walked, cut int }

// use does all that a caller does with a file that may be hostile. A file
// passes when nothing panics, and when a footer that was read comes out as it was.
func use(t *testing.T, file []byte) (r reached) {
	t.Helper()
	f, err := footer.Read(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return r
	}
	r.read++
	out, err := f.AppendEnd(nil)
	if err != nil || !bytes.HasSuffix(file, out) {
		t.Fatalf("a footer came out as other bytes, %v", err)
	}
	problems := f.Check(int64(len(file)))
	for _, leaf := range f.Leaves() {
		for _, typ := range everyType {
			f.Column(leaf.Leaf, "c", typ)
		}
		if p := footer.Worst(problems, leaf.Leaf); p != nil && p.Kind.Remedy() > footer.Keep {
			r.faulty++
			continue
		}
		for _, g := range f.Groups() {
			c := g.Chunk(leaf.Leaf)
			if _, err := footer.Walk(bytes.NewReader(file), leaf, c, nil); err != nil {
				r.cut++
				continue
			}
			r.walked++
			c.Moved(1 << 20)
		}
	}
	if _, err := f.Clone(); err != nil {
		t.Fatalf("the clone of a footer is none: %v", err)
	}
	return r
}

func (r *reached) add(o reached) {
	r.read, r.faulty, r.walked, r.cut = r.read+o.read, r.faulty+o.faulty, r.walked+o.walked, r.cut+o.cut
}

func (r *reached) hold(t *testing.T) {
	t.Helper()
	t.Logf("%+v", *r)
	if r.read < 50 || r.faulty < 10 || r.walked < 50 || r.cut < 10 {
		t.Errorf("the files do not come far: %+v", *r)
	}
}

// spoil changes a few bytes of a file's end, where its footer is, or of its pages.
func spoil(rng *rand.Rand, file []byte) []byte {
	out := bytes.Clone(file)
	n := int(binary.LittleEndian.Uint32(out[len(out)-8:]))
	from := len(out) - 8 - n
	if rng.IntN(4) == 0 {
		from, n = 0, from
	}
	for range 1 + rng.IntN(4) {
		at := from + rng.IntN(max(n, 1))
		switch rng.IntN(4) {
		case 0:
			out[at] = byte(rng.IntN(256))
		case 1:
			out[at] ^= 1 << rng.IntN(8)
		case 2:
			out[at] = 0xff
		case 3: // a byte less, or one more, with the length told right
			if at > from && from > 0 {
				out = append(out[:at], out[at+1:]...)
				n--
				binary.LittleEndian.PutUint32(out[len(out)-8:], uint32(n))
			}
		}
	}
	return out
}

func TestSpoiledFilesAreRefusedOrComeOutAsTheyAre(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 1))
	file := made(t)
	var all reached
	for range 500 {
		all.add(use(t, spoil(rng, file)))
	}
	all.hold(t)
}

func TestSpoiledPublicFilesAreRefusedOrComeOutAsTheyAre(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 2))
	var all reached
	for _, path := range publicFiles(t) {
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for range 10 {
			all.add(use(t, spoil(rng, file)))
		}
	}
	all.hold(t)
}

// TestFootersThatAskForTooMuch bounds the memory that a footer of so many bytes takes.
func TestFootersThatAskForTooMuch(t *testing.T) {
	for name, b := range map[string][]byte{
		"empty structs":         append([]byte{0x19, 0xfc, 0x80, 0x80, 0x40}, make([]byte, 1<<20+1)...),
		"nested lists of bytes": bytes.Repeat([]byte{0x19, 0xf9, 0xff, 0xff, 0x3f}, 200_000),
		"counts beyond":         append([]byte{0x19, 0xf3, 0xff, 0xff, 0xff, 0xff, 0x0f}, make([]byte, 1<<20)...),
		"deep structs":          bytes.Repeat([]byte{0x1c}, 1<<20),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f, err := footer.Parse(b)
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Errorf("%s: read as %v", name, f)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > uint64(400*len(b)) {
			t.Errorf("%s: %d bytes asked for %d bytes of memory", name, len(b), used)
		}
	}
}

// FuzzFooter holds that bytes are refused or come out as they were.
func FuzzFooter(f *testing.F) {
	file := made(f)
	n := int(binary.LittleEndian.Uint32(file[len(file)-8:]))
	f.Add(file[len(file)-8-n : len(file)-8])
	f.Add([]byte("\x15\x02\x19\x1c\x48\x01a\x15\x00\x00\x16\x00\x19\x0c\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1<<20 {
			return
		}
		end := append(binary.LittleEndian.AppendUint32(bytes.Clone(b), uint32(len(b))), "PAR1"...)
		use(t, append(bytes.Clone(file[:len(file)-8-n]), end...))
	})
}
