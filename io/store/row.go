package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/io/archive"
)

// How a column is to be read, by the end of its name.
const (
	jsonColumn   = ":json"
	packedColumn = ":packed"
)

// reader makes records of rows.
type reader struct {
	query func(ctx context.Context, query string, args []any, take func(*sql.Rows) error) error
	file  string
	room  *room
	rows  []Row  // At.Row alone says where
	json  []byte // of the record that is being made
	doc   jsondoc.Doc

	broken error // why a cell of the record is not JSON
}

const (
	// maxRow is how long the texts and bytes of a row may be together: as long as a line.
	maxRow = 64 << 20
	// maxUnpacked is how much a compressed cell may hold.
	maxUnpacked = maxRow
)

// all reads the rows of some queries, each query's rows before the next one's,
// and what is below a row behind it.
func (r *reader) all(ctx context.Context, queries []core.Rows, key string) error {
	for _, q := range queries {
		if r.room.isFull() {
			return nil
		}
		level := &reader{query: r.query, file: r.file, room: r.room}
		keys, err := level.read(ctx, q, key)
		if err != nil && !errors.Is(err, errFull) {
			if q.Table != "" {
				err = fmt.Errorf("read %s: %w", q.Table, err)
			}
			return err
		}
		for i, below := range keys {
			r.rows = append(r.rows, level.rows[i])
			if len(q.Below) == 0 || r.room.isFull() {
				continue
			}
			if err := r.all(ctx, q.Below, below); err != nil {
				return err
			}
		}
	}
	return nil
}

// read reads the rows of one query, and returns their keys.
func (r *reader) read(ctx context.Context, q core.Rows, key string) ([]string, error) {
	var (
		columns         []string
		values, targets []any
		keys            []string
	)
	err := r.query(ctx, q.Query, []any{key}, func(rows *sql.Rows) error {
		if columns == nil {
			var err error
			if columns, err = rows.Columns(); err != nil {
				return err
			}
			values, targets = make([]any, len(columns)), make([]any, len(columns))
			for i := range values {
				targets[i] = &values[i]
			}
		}
		if err := rows.Scan(targets...); err != nil {
			return err
		}
		own := keyOf(values[0])
		keys = append(keys, own)
		r.record(q.Table, own, columns[1:], values[1:])
		if r.room.isFull() {
			return errFull
		}
		return nil
	})
	return keys, err
}

// keyOf returns the key of a row as text: its first column, whatever type that has.
func keyOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []byte:
		return string(v)
	case nil:
		return ""
	default:
		return fmt.Sprint(v)
	}
}

// record appends one row. Of one that is too large, or has a cell that is, only what
// it is called, and how large the cell is as it lies there.
//
// A column whose name ends in :json is embedded as JSON if it is one value, and one
// that ends in :packed is decompressed before. A row of table "message" with the key m1
// becomes
//
//	{"table":"message","key":"m1","role":"user","data":{"text":"hi"}}
func (r *reader) record(table, key string, columns []string, values []any) {
	r.json, r.broken = r.open(table, key), nil
	begun := len(r.json)
	var (
		over   *core.OverLimit
		broken error
	)
	if n := lengthOf(values); n > maxRow {
		over, columns = &core.OverLimit{Size: n, Limit: maxRow}, nil
		clear(values)
		runtime.GC() // SQLite has as much again, unknown to the collector
	}
	for i, column := range columns {
		if values[i] == nil {
			continue
		}
		name, isPacked := strings.CutSuffix(column, packedColumn)
		name, isJSON := strings.CutSuffix(name, jsonColumn)
		r.json = append(r.json, ',')
		r.json = jsondoc.AppendQuoteString(r.json, name)
		r.json = append(r.json, ':')
		v := values[i]
		if b, ok := v.([]byte); ok && isPacked {
			plain, ok := unpacked(b)
			if !ok {
				r.json = fmt.Appendf(r.json[:begun], `,"packed_bytes":%d`, len(b))
				over = &core.OverLimit{Size: maxUnpacked, Limit: maxUnpacked}
				break
			}
			v = plain
		}
		r.value(v, isJSON || isPacked)
		if r.broken != nil && broken == nil {
			broken = fmt.Errorf("%s/%s: column %s: %w", table, key, name, r.broken)
		}
	}
	r.json = append(r.json, '}')
	r.keep(Row{At: core.Location{Row: table + "/" + key}, Over: over, Broken: broken}, begun, 0)
}

// lengthOf returns how long the texts and bytes of a row are together.
func lengthOf(values []any) (n int64) {
	for _, v := range values {
		switch v := v.(type) {
		case string:
			n += int64(len(v))
		case []byte:
			n += int64(len(v))
		}
	}
	return n
}

// open begins a record.
func (r *reader) open(table, key string) []byte {
	b := append(r.json[:0], `{"table":`...)
	b = jsondoc.AppendQuoteString(b, table)
	b = append(b, `,"key":`...)
	return jsondoc.AppendQuoteString(b, key)
}

// keep adds the record that was made, from a point on. What it is called stands before
// another one, and is what is kept of the first record for which there is no room.
func (r *reader) keep(row Row, called, from int) {
	row.At.File = r.file
	var ok bool
	if row.JSON, ok = r.room.take(r.json[from:]); !ok {
		row.JSON, row.Over = append(slices.Clone(r.json[:called]), '}'), r.room.over()
	}
	r.rows = append(r.rows, row)
	if cap(r.json) > maxSpare {
		r.json = nil
	}
}

// value appends what a column holds.
func (r *reader) value(v any, isJSON bool) {
	switch v := v.(type) {
	case int64:
		r.json = strconv.AppendInt(r.json, v, 10)
	case float64:
		if math.IsInf(v, 0) || math.IsNaN(v) {
			r.text([]byte(strconv.FormatFloat(v, 'g', -1, 64)), false)
			return
		}
		r.json = strconv.AppendFloat(r.json, v, 'g', -1, 64)
	case bool:
		r.json = strconv.AppendBool(r.json, v)
	case string:
		r.text([]byte(v), isJSON)
	case []byte:
		r.text(v, isJSON)
	case time.Time:
		r.text([]byte(v.Format(time.RFC3339Nano)), false)
	default:
		r.text(fmt.Append(nil, v), false)
	}
}

// errGlued says that a cell that should be one JSON value holds several.
var errGlued = errors.New("more than one JSON value")

// text appends a text, or bytes that are no UTF-8 as {"base64":"…"}. With isJSON, a text that is
// one JSON value is embedded as that value.
func (r *reader) text(b []byte, isJSON bool) {
	if isJSON && r.embed(b) {
		return
	}
	if utf8.Valid(b) {
		r.json = jsondoc.AppendQuote(r.json, b)
		return
	}
	r.json = append(r.json, `{"base64":"`...)
	r.json = base64.StdEncoding.AppendEncode(r.json, b)
	r.json = append(r.json, `"}`...)
}

// isJSON reports whether a text is one JSON value.
func (r *reader) isJSON(b []byte) bool {
	n, err := r.doc.Parse(b)
	return err == nil && n > 0 && len(bytes.TrimSpace(b[n:])) == 0
}

// embed appends a text that is one JSON value as that value, on one line.
func (r *reader) embed(b []byte) bool {
	n, err := r.doc.Parse(b)
	if err == nil && len(bytes.TrimSpace(b[n:])) > 0 {
		err = errGlued
	}
	if err != nil || len(b) == 0 {
		if len(bytes.TrimSpace(b)) > 0 {
			r.broken = err
		}
		return false
	}
	r.json = r.doc.Root().AppendCompact(r.json)
	return true
}

// unpacked returns what compressed bytes hold, or the bytes if they are not. It is
// false if that is more than maxUnpacked.
func unpacked(b []byte) (plain []byte, ok bool) {
	for e, err := range archive.File("", bytes.NewReader(b), archive.Standard()) {
		if err != nil || !e.Packed || e.Path != "" {
			return b, true
		}
		plain, err := io.ReadAll(io.LimitReader(e.Body, maxUnpacked+1))
		switch {
		case err != nil:
			return b, true
		case len(plain) > maxUnpacked:
			return nil, false
		}
		return plain, true
	}
	return b, true
}

// digest tells one state of a conversation from another.
func (r *reader) digest() (sum [sha256.Size]byte) {
	h := sha256.New()
	for i := range r.rows {
		h.Write(r.rows[i].JSON)
	}
	h.Sum(sum[:0])
	return sum
}
