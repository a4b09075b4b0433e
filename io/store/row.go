package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/io/unpack"
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
	json  []byte // of all records
	ends  []int
	keys  []string
	over  map[int]*core.OverLimit // of records that are too large
	doc   jsondoc.Doc
}

// maxUnpacked is how much a compressed cell may hold: as much as a line.
const maxUnpacked = 64 << 20

// all reads the rows of some queries, each query's rows before the next one's,
// and what is below a row behind it.
func (r *reader) all(ctx context.Context, queries []core.Rows, key string) error {
	for _, q := range queries {
		level := &reader{query: r.query, file: r.file}
		keys, err := level.read(ctx, q, key)
		if err != nil {
			if q.Table != "" {
				err = fmt.Errorf("read %s: %w", q.Table, err)
			}
			return err
		}
		for i, below := range keys {
			r.append(level, i)
			if len(q.Below) == 0 {
				continue
			}
			if err := r.all(ctx, q.Below, below); err != nil {
				return err
			}
		}
	}
	return nil
}

// append takes over a record of another reader.
func (r *reader) append(from *reader, i int) {
	start := 0
	if i > 0 {
		start = from.ends[i-1]
	}
	r.json = append(r.json, from.json[start:from.ends[i]]...)
	r.ends = append(r.ends, len(r.json))
	r.keys = append(r.keys, from.keys[i])
	if over := from.over[i]; over != nil {
		r.isOver(over)
	}
}

// isOver says that the last record is too large.
func (r *reader) isOver(over *core.OverLimit) {
	if r.over == nil {
		r.over = map[int]*core.OverLimit{}
	}
	r.over[len(r.ends)-1] = over
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
		return nil
	})
	return keys, err
}

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

// record appends one row. Of one with a cell that is too large, only what it is
// called and how large the cell is as it lies there.
func (r *reader) record(table, key string, columns []string, values []any) {
	r.json = r.open(table, key)
	begun := len(r.json)
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
				r.close(table + "/" + key)
				r.isOver(&core.OverLimit{Size: maxUnpacked, Limit: maxUnpacked})
				return
			}
			v = plain
		}
		r.value(v, isJSON || isPacked)
	}
	r.close(table + "/" + key)
}

func (r *reader) open(table, key string) []byte {
	b := append(r.json, `{"table":`...)
	b = jsondoc.AppendQuoteString(b, table)
	b = append(b, `,"key":`...)
	return jsondoc.AppendQuoteString(b, key)
}

func (r *reader) close(name string) {
	r.json = append(r.json, '}')
	r.ends = append(r.ends, len(r.json))
	r.keys = append(r.keys, name)
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

// embed appends a text that is one JSON value as that value, on one line.
func (r *reader) embed(b []byte) bool {
	n, err := r.doc.Parse(b)
	if err != nil || len(bytes.TrimSpace(b[n:])) > 0 || len(b) == 0 {
		return false
	}
	r.json = r.doc.Root().AppendCompact(r.json)
	return true
}

// unpacked returns what compressed bytes hold, or the bytes if they are not. It is
// false if that is more than maxUnpacked.
func unpacked(b []byte) (plain []byte, ok bool) {
	for e, err := range unpack.File("", bytes.NewReader(b), unpack.Standard()) {
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
func (r *reader) digest() [sha256.Size]byte { return sha256.Sum256(r.json) }

// rows returns the records.
func (r *reader) rows() []Row {
	rows := make([]Row, len(r.ends))
	from := 0
	for i, end := range r.ends {
		rows[i] = Row{At: core.Location{File: r.file, Row: r.keys[i]}, JSON: r.json[from:end:end], Over: r.over[i]}
		from = end
	}
	return rows
}
