package access

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"

	"github.com/memscribe/memscribe/internal/keyfile"
)

// ProofHeader is the header in which a request proves that it comes from one who has
// the server's state folder.
const ProofHeader = "Memscribe-Proof"

// Own proves to a server without tokens that who calls has the same state folder, as
// the sink of the same user has. The folder holds a key, for the user alone; a proof is
// an HMAC of the request with it, so that who sees one can make none for another
// request.
//
//	watch --memdb-url http://127.0.0.1:7475 ── POST …/memories, Memscribe-Proof: 5f1c… ──► memdb serve
//	          └──────────── memdb.own.key in the state folder ────────────┘
//
// The key is read for each proof: it makes no difference which of the two starts first,
// or whether the folder is replaced while they run.
type Own struct{ file keyfile.File }

// NewOwn returns the proof of a state folder. Nothing is read or made yet.
func NewOwn(stateDir string) *Own {
	return &Own{keyfile.File{Path: filepath.Join(stateDir, "memdb.own.key"), For: "key of proofs"}}
}

// Prove makes the proof of a request, and the key if there is none yet.
func (o *Own) Prove(method, path string, body []byte) (string, error) {
	key, err := o.file.Open()
	if err != nil {
		return "", err
	}
	return hex.EncodeToString(proof(key, method, path, body)), nil
}

// Proves reports whether a proof is that of a request. Without a key none is.
func (o *Own) Proves(given, method, path string, body []byte) bool {
	sum, err := hex.DecodeString(given)
	if err != nil || len(sum) != sha256.Size {
		return false
	}
	key, err := o.file.Read()
	return err == nil && hmac.Equal(sum, proof(key, method, path, body))
}

// proof returns the HMAC of a request. Method and path hold no line end.
func proof(key []byte, method, path string, body []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(method + "\n" + path + "\n"))
	h.Write(body)
	return h.Sum(nil)
}
