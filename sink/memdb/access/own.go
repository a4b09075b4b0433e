package access

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"

	"github.com/memscribe/memscribe/internal/keyfile"
)

// ProofHeader is the header with which a request proves that its sender can read the server's
// state folder.
const ProofHeader = "Memscribe-Proof"

// Own lets a client prove to a server without tokens that both use the same state folder, and
// so belong to the same user. The folder has a key that only the user can read. A proof is an
// HMAC of the request with that key, so a proof that was overheard is of no use for another
// request.
//
//	watch --memdb-url http://127.0.0.1:7475 ── POST …/memories, Memscribe-Proof: 5f1c… ──► memdb serve
//	          └──────────── memdb.own.key in the state folder ────────────┘
//
// The key is read for each proof, so it makes no difference which of the two starts first, or
// whether the folder is replaced meanwhile.
type Own struct{ file keyfile.File }

// NewOwn returns the Own of a state folder. It does not read or create anything yet.
func NewOwn(stateDir string) *Own {
	return &Own{keyfile.File{Path: filepath.Join(stateDir, "memdb.own.key"), For: "key of proofs"}}
}

// Prove returns the proof for a request. It creates the key if there is none.
func (o *Own) Prove(method, path string, body []byte) (string, error) {
	key, err := o.file.Open()
	if err != nil {
		return "", err
	}
	return hex.EncodeToString(proof(key, method, path, body)), nil
}

// Proves reports whether a proof is valid for a request. Without a key no proof is.
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
