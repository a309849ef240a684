package cast_test

import "testing"

// Each kernel against its reference, on batches of typed values: what is
// written, where it is NULL, and every count.

func FuzzInts(f *testing.F)        { fuzzKernels(f, "Ints") }
func FuzzDecimals(f *testing.F)    { fuzzKernels(f, "Decimals") }
func FuzzDecimalInts(f *testing.F) { fuzzKernels(f, "DecimalInts") }
func FuzzFloats(f *testing.F)      { fuzzKernels(f, "Floats") }
func FuzzNearFloats(f *testing.F)  { fuzzKernels(f, "NearFloats") }
func FuzzNumberTexts(f *testing.F) { fuzzKernels(f, "NumberTexts") }
func FuzzBools(f *testing.F)       { fuzzKernels(f, "Bools") }
func FuzzDates(f *testing.F)       { fuzzKernels(f, "Dates") }
func FuzzStamps(f *testing.F)      { fuzzKernels(f, "Stamps") }
func FuzzZones(f *testing.F)       { fuzzKernels(f, "Zones") }
func FuzzInt96(f *testing.F)       { fuzzKernels(f, "Int96") }
func FuzzTimeTexts(f *testing.F)   { fuzzKernels(f, "TimeTexts") }
func FuzzDaytimes(f *testing.F)    { fuzzKernels(f, "Daytimes") }
func FuzzTexts(f *testing.F)       { fuzzKernels(f, "Texts") }
func FuzzBytes(f *testing.F)       { fuzzKernels(f, "Bytes") }
func FuzzGUIDs(f *testing.F)       { fuzzKernels(f, "GUIDs") }
func FuzzRowversions(f *testing.F) { fuzzKernels(f, "Rowversions") }
