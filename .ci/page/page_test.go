// Package page looks at the page as people do, in Chromium, and at what other
// origins can do to it. It is no part of go test ./..., since it needs a browser
// and Node.
package page

import (
	"bytes"
	"cmp"
	"flag"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/campaignfake/ci/process"
)

func TestMain(m *testing.M) { os.Exit(process.Main(m)) }

func TestPage(t *testing.T) {
	t.Parallel()
	scripts, err := filepath.Glob("*.test.mjs")
	if err != nil || len(scripts) == 0 {
		t.Fatal("there are no scripts: ", err)
	}
	for _, script := range scripts {
		t.Run(strings.TrimSuffix(script, ".test.mjs"), func(t *testing.T) {
			t.Parallel()
			process.Node(t, script)
		})
	}
}

var update = flag.Bool("update", false, "make the picture of the README again")

// The picture of the README can be made again, and is small: a browser loads it in a moment.
func TestPicture(t *testing.T) {
	t.Parallel()
	const most, picture = 120_000, "../../.github/page.png"
	shot := filepath.Join(t.TempDir(), "page.png")
	process.Node(t, "picture.mjs", "PICTURE="+shot)
	text, err := os.ReadFile(shot)
	if err != nil {
		t.Fatal(err)
	}
	text, err = indexed(text)
	if err != nil || len(text) > most {
		t.Errorf("what is made has %d bytes, and may have %d (%v)", len(text), most, err)
	}
	if *update {
		if err := os.WriteFile(picture, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(picture); err != nil || len(text) > most {
		t.Errorf("the picture has %d bytes, and may have %d (%v)", len(text), most, err)
	}
}

// indexed returns a PNG with the 256 colours that a screenshot has most, which takes a third
// of its bytes. Other colours become the nearest of these.
func indexed(screenshot []byte) ([]byte, error) {
	from, err := png.Decode(bytes.NewReader(screenshot))
	if err != nil {
		return nil, err
	}
	counts := make(map[color.RGBA]int)
	for y := range from.Bounds().Dy() {
		for x := range from.Bounds().Dx() {
			counts[color.RGBAModel.Convert(from.At(x, y)).(color.RGBA)]++
		}
	}
	colours := slices.SortedFunc(maps.Keys(counts), func(a, b color.RGBA) int {
		return cmp.Or(counts[b]-counts[a], cmp.Compare(a.R, b.R), cmp.Compare(a.G, b.G),
			cmp.Compare(a.B, b.B))
	})
	palette := make(color.Palette, 0, 256)
	for _, colour := range colours[:min(256, len(colours))] {
		palette = append(palette, colour)
	}
	to := image.NewPaletted(from.Bounds(), palette)
	draw.Draw(to, to.Bounds(), from, image.Point{}, draw.Src)
	var out bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, to)
	return out.Bytes(), err
}
