package embed

import (
	"bytes"
	"fmt"

	"github.com/memscribe/memscribe/sink/memdb/chain"
	"github.com/memscribe/memscribe/sink/memdb/record"
)

// CheckDims returns an error if a vector has not as many numbers as the stored ones of its
// model: the model was probably replaced under the same name.
func CheckDims(model string, dims, kept int) error {
	if dims == kept {
		return nil
	}
	return Away(fmt.Errorf("vectors of %s have %d numbers now, and those that are kept have %d: give what makes them another name of a model", model, dims, kept))
}

// Kept is a stored vector together with the version that it belongs to.
type Kept struct {
	Namespace string
	Hash      []byte
	Dims      int64  // numbers of the vector
	Seq       int64  // the entry of the version
	Record    []byte // nil: there is no such version
}

// CheckStored returns a fault if a stored vector belongs to no version, or was made of another
// text. Whether its numbers are right only the gateway could say.
func CheckStored(k Kept) *chain.Fault {
	fault := func(reason, detail string) *chain.Fault {
		return &chain.Fault{Seq: k.Seq, Reason: reason, Detail: detail}
	}
	if k.Record == nil {
		return fault(record.NotForgotten, "there is a vector of a memory that is not there")
	}
	r, err := record.Read(k.Record)
	if err != nil {
		return fault(record.Mismatch, fmt.Sprintf("the memory cannot be read: %v", err))
	}
	if h := HashOf(r.Memory.Content); !bytes.Equal(h[:], k.Hash) || r.Memory.Namespace != k.Namespace || k.Dims < 1 || k.Dims > MaxDims {
		f := fault(record.IndexMismatch, "its vector is not one of the memory")
		f.MemoryID = r.Memory.ID
		return f
	}
	return nil
}
