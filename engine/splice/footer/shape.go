package footer

import (
	"fmt"

	"cdcseed/engine/splice/footer/thrift"
)

// shape is what the known fields of a struct must be. Fields that it does not
// name may be anything.
type shape struct {
	fields map[int16]part
	must   []int16 // fields that may not be missing
}

// part is one field: its kind and, of a struct or a list, what it holds.
type part struct {
	kind  thrift.Kind
	elem  thrift.Kind // of a list
	inner *shape      // of a struct, or of a list of structs
}

var (
	number16 = part{kind: thrift.I16}
	number32 = part{kind: thrift.I32}
	number64 = part{kind: thrift.I64}
	flag     = part{kind: thrift.True}
	octets   = part{kind: thrift.Binary}
	anything = &shape{}
)

func one(s *shape) part            { return part{kind: thrift.Object, inner: s} }
func many(s *shape) part           { return part{kind: thrift.List, elem: thrift.Object, inner: s} }
func listOf(elem thrift.Kind) part { return part{kind: thrift.List, elem: elem} }
func empties(ids ...int16) *shape {
	s := &shape{fields: map[int16]part{}}
	for _, id := range ids {
		s.fields[id] = one(anything)
	}
	return s
}

var statisticsShape = &shape{fields: map[int16]part{
	statMaxOld: octets, statMinOld: octets, statNulls: number64, statDistinct: number64,
	statMax: octets, statMin: octets, statMaxExact: flag, statMinExact: flag,
}}

var timeShape = &shape{fields: map[int16]part{1: flag, 2: one(empties(1, 2, 3))}, must: []int16{1, 2}}

// logicalShape leaves out the annotations whose insides nobody here reads.
var logicalShape = &shape{fields: map[int16]part{
	logicalString: one(anything), logicalMap: one(anything), logicalList: one(anything), logicalEnum: one(anything),
	logicalDecimal: one(&shape{fields: map[int16]part{1: number32, 2: number32}, must: []int16{1, 2}}),
	logicalDate:    one(anything), logicalTime: one(timeShape), logicalTimestamp: one(timeShape),
	logicalInteger: one(&shape{fields: map[int16]part{1: {kind: thrift.Byte}, 2: flag}, must: []int16{1, 2}}),
	logicalJSON:    one(anything), logicalBSON: one(anything), logicalUUID: one(anything), logicalFloat16: one(anything),
}}

var elementShape = &shape{fields: map[int16]part{
	elementType: number32, elementLength: number32, elementRepetition: number32, elementName: octets, elementChildren: number32,
	elementConverted: number32, elementScale: number32, elementPrecision: number32, elementFieldID: number32, elementLogical: one(logicalShape),
}, must: []int16{elementName}}

var metaShape = &shape{fields: map[int16]part{
	metaType: number32, metaEncodings: listOf(thrift.I32), metaPath: listOf(thrift.Binary), metaCodec: number32,
	metaValues: number64, metaUncompressed: number64, metaCompressed: number64, metaKeyValues: many(keyValueShape),
	metaData: number64, metaIndexPage: number64, metaDictionary: number64, metaStatistics: one(statisticsShape),
	metaEncodingStats: many(&shape{fields: map[int16]part{1: number32, 2: number32, 3: number32}, must: []int16{1, 2, 3}}),
	metaBloom:         number64, metaBloomLen: number32,
}, must: []int16{metaType, metaEncodings, metaPath, metaCodec, metaValues, metaUncompressed, metaCompressed, metaData}}

var keyValueShape = &shape{fields: map[int16]part{1: octets, 2: octets}, must: []int16{1}}

var groupShape = &shape{fields: map[int16]part{
	groupChunks: many(&shape{fields: map[int16]part{
		chunkPath: octets, chunkOffset: number64, chunkMeta: one(metaShape),
		chunkOffsetIndex: number64, chunkOffsetIndexLen: number32, chunkColumnIndex: number64, chunkColumnIndexLen: number32,
		chunkSealed: octets,
	}}),
	groupBytes: number64, groupRows: number64,
	groupSorting: many(&shape{fields: map[int16]part{1: number32, 2: flag, 3: flag}, must: []int16{1}}),
	groupOffset:  number64, groupCompressed: number64, groupOrdinal: number16,
}, must: []int16{groupChunks, groupRows}}

var fileShape = &shape{fields: map[int16]part{
	fileVersion: number32, fileSchema: many(elementShape), fileRows: number64, fileGroups: many(groupShape),
	fileKeyValues: many(keyValueShape), fileCreatedBy: octets, fileOrders: many(anything),
}, must: []int16{fileSchema, fileRows, fileGroups}}

// pageShape is what a page's header must be.
var pageShape = &shape{fields: map[int16]part{
	1: number32, 2: number32, 3: number32, 4: number32,
	headerData: one(&shape{fields: map[int16]part{
		1: number32, 2: number32, 3: number32, 4: number32, 5: one(anything),
	}, must: []int16{1, 2, 3, 4}}),
	headerDictionary: one(&shape{fields: map[int16]part{1: number32, 2: number32, 3: flag}, must: []int16{1, 2}}),
	headerDataV2: one(&shape{fields: map[int16]part{
		1: number32, 2: number32, 3: number32, 4: number32, 5: number32, 6: number32, 7: flag, 8: one(anything),
	}, must: []int16{1, 2, 3, 4, 5, 6}}),
}, must: []int16{1, 2, 3}}

// check finds a field that is missing or of another kind than readers expect.
func (s *shape) check(v *thrift.Struct) error {
	for _, id := range s.must {
		if !v.Has(id) {
			return fmt.Errorf("field %d is missing", id)
		}
	}
	for id, got := range v.All() {
		want, known := s.fields[id]
		if !known {
			continue
		}
		if got.Kind() != want.kind {
			return fmt.Errorf("field %d is a %s, where a %s belongs", id, got.Kind(), want.kind)
		}
		if err := want.check(got); err != nil {
			return fmt.Errorf("field %d: %w", id, err)
		}
	}
	return nil
}

func (p part) check(v thrift.Value) error {
	if p.kind == thrift.Object {
		return p.inner.check(v.Struct())
	}
	if p.kind != thrift.List || v.Len() == 0 {
		return nil
	}
	if v.Elem() != p.elem {
		return fmt.Errorf("a list of %s, where %s belong", v.Elem(), p.elem)
	}
	if p.inner == nil {
		return nil
	}
	for i, it := range v.Items() {
		if err := p.inner.check(it.Struct()); err != nil {
			return fmt.Errorf("item %d: %w", i, err)
		}
	}
	return nil
}
