package record

import (
	"fmt"
	"net/http"
	"path/filepath"
	"sync/atomic"
)

// states keeps, where that is wanted, what the tool has written before each of
// its requests is answered. A state that the tool changes meanwhile is left out
// as far as it could not be read.
func (s *session) states(answer http.Handler) http.Handler {
	if !s.job.States {
		return answer
	}
	var count atomic.Int64
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		dir := filepath.Join(s.job.Out, StatesDir, fmt.Sprintf("%02d", count.Add(1)))
		if err := s.copyHome(dir); err != nil {
			s.keep("states.stderr", []byte(err.Error()+"\n"))
		}
		answer.ServeHTTP(w, r)
	})
}
