package tds

// Token types of a reply (MS-TDS 2.2.7).
const (
	tokReturnStatus = 0x79
	tokColMetadata  = 0x81
	tokError        = 0xAA
	tokInfo         = 0xAB
	tokReturnValue  = 0xAC
	tokLoginAck     = 0xAD
	tokFeatureAck   = 0xAE
	tokRow          = 0xD1
	tokNBCRow       = 0xD2
	tokEnvChange    = 0xE3
	tokDone         = 0xFD
	tokDoneProc     = 0xFE
	tokDoneInProc   = 0xFF
)

// Bits of a DONE token's status.
const (
	doneMore     = 0x01 // another DONE follows in this message
	doneError    = 0x02
	doneInXact   = 0x04
	doneCount    = 0x10 // the row count is valid
	doneAttn     = 0x20
	doneSrvError = 0x100
)

// cmdSelect is the only statement kind that clients look at in a DONE.
const cmdSelect = 0xC1

// Kinds of ENVCHANGE.
const (
	envDatabase     = 1
	envLanguage     = 2
	envPacketSize   = 4
	envCollation    = 7
	envBeginTran    = 8
	envCommitTran   = 9
	envRollbackTran = 10
	envResetAck     = 18
)
