package delta

import (
	"strconv"

	"cdcseed/engine/clock"
	"cdcseed/engine/store"
)

// Add is a data file that belongs to the table.
type Add struct {
	Path                    string             `json:"path"` // as the log has it: percent-encoded; see Key
	PartitionValues         map[string]*string `json:"partitionValues"`
	Size                    int64              `json:"size"`             // bytes
	ModificationTime        int64              `json:"modificationTime"` // ms since 1970
	DataChange              bool               `json:"dataChange"`
	Stats                   string             `json:"stats,omitempty"` // JSON text; see ParseStats
	Tags                    map[string]*string `json:"tags,omitzero"`
	DeletionVector          *DeletionVector    `json:"deletionVector,omitempty"`
	BaseRowID               *int64             `json:"baseRowId,omitempty"`
	DefaultRowCommitVersion *int64             `json:"defaultRowCommitVersion,omitempty"`
	ClusteringProvider      string             `json:"clusteringProvider,omitempty"`
}

// NewAdd is the action for a staged file of an unpartitioned table.
func NewAdd(file store.Object, stats string) Add {
	return Add{
		Path: EscapePath(file.Key), PartitionValues: map[string]*string{}, Size: file.Size,
		ModificationTime: millis(file.Modified), DataChange: true, Stats: stats,
	}
}

// DeletionVector says where the list of a file's deleted rows is.
type DeletionVector struct {
	StorageType    string `json:"storageType"`    // "u" a file by UUID, "p" a file by path, "i" inline
	PathOrInlineDv string `json:"pathOrInlineDv"` // by StorageType
	Offset         *int64 `json:"offset,omitempty"`
	SizeInBytes    int64  `json:"sizeInBytes"`
	Cardinality    int64  `json:"cardinality"` // number of deleted rows
	MaxRowIndex    *int64 `json:"maxRowIndex,omitempty"`
}

// ID tells deletion vectors of one file apart; it is empty for none.
func (d *DeletionVector) ID() string {
	if d == nil {
		return ""
	}
	id := d.StorageType + d.PathOrInlineDv
	if d.Offset != nil {
		id += "@" + strconv.FormatInt(*d.Offset, 10)
	}
	return id
}

// Remove takes a file out of the table.
type Remove struct {
	Path              string          `json:"path"`
	DeletionTimestamp int64           `json:"deletionTimestamp"` // ms since 1970, or 0
	DataChange        bool            `json:"dataChange"`
	Size              int64           `json:"size"`
	DeletionVector    *DeletionVector `json:"deletionVector"`
}

// Txn records how far an application has written.
type Txn struct {
	AppID       string `json:"appId"`
	Version     int64  `json:"version"`
	LastUpdated *int64 `json:"lastUpdated,omitempty"` // ms since 1970
}

// Domain is a named piece of configuration that belongs to a feature or a user.
type Domain struct {
	Domain        string `json:"domain"`
	Configuration string `json:"configuration"`
	Removed       bool   `json:"removed"`
}

// millis cuts to the millisecond at or before at.
func millis(at clock.Instant) int64 { return at.Time().UnixMilli() }

func ofMillis(ms int64) clock.Instant { return clock.Instant(ms * clock.Millisecond) }
