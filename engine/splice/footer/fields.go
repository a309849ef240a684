package footer

// The numbers of the fields in the Parquet format's structs, as parquet.thrift has them.
const (
	fileVersion    = 1
	fileSchema     = 2
	fileRows       = 3
	fileGroups     = 4
	fileKeyValues  = 5
	fileCreatedBy  = 6
	fileOrders     = 7
	fileEncryption = 8
	fileSigningKey = 9

	orderByType = 1

	elementType       = 1
	elementLength     = 2
	elementRepetition = 3
	elementName       = 4
	elementChildren   = 5
	elementConverted  = 6
	elementScale      = 7
	elementPrecision  = 8
	elementFieldID    = 9
	elementLogical    = 10

	groupChunks     = 1
	groupBytes      = 2
	groupRows       = 3
	groupSorting    = 4
	groupOffset     = 5
	groupCompressed = 6
	groupOrdinal    = 7

	chunkPath           = 1
	chunkOffset         = 2
	chunkMeta           = 3
	chunkOffsetIndex    = 4
	chunkOffsetIndexLen = 5
	chunkColumnIndex    = 6
	chunkColumnIndexLen = 7
	chunkCrypto         = 8
	chunkSealed         = 9 // metadata, encrypted

	metaType          = 1
	metaEncodings     = 2
	metaPath          = 3
	metaCodec         = 4
	metaValues        = 5
	metaUncompressed  = 6
	metaCompressed    = 7
	metaKeyValues     = 8
	metaData          = 9 // offset of the first data page
	metaIndexPage     = 10
	metaDictionary    = 11
	metaStatistics    = 12
	metaEncodingStats = 13
	metaBloom         = 14
	metaBloomLen      = 15

	statMaxOld   = 1
	statMinOld   = 2
	statNulls    = 3
	statDistinct = 4
	statMax      = 5
	statMin      = 6
	statMaxExact = 7
	statMinExact = 8

	headerData       = 5
	headerDictionary = 7
	headerDataV2     = 8
)
