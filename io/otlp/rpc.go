package otlp

import (
	"context"
	"errors"

	"go.opentelemetry.io/collector/pdata/plog/plogotlp"
	"go.opentelemetry.io/collector/pdata/pmetric/pmetricotlp"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	_ "google.golang.org/grpc/encoding/gzip" // most clients compress
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// server takes the same by gRPC.
func (r *Receiver) server() *grpc.Server {
	s := grpc.NewServer(grpc.MaxRecvMsgSize(maxRequest), grpc.MaxConcurrentStreams(maxRequests), grpc.UnaryInterceptor(r.admit))
	plogotlp.RegisterGRPCServer(s, &logService{receiver: r})
	ptraceotlp.RegisterGRPCServer(s, &traceService{receiver: r})
	pmetricotlp.RegisterGRPCServer(s, &metricService{receiver: r})
	return s
}

// admit lets those in who have the token, as many as there is room for.
func (r *Receiver) admit(ctx context.Context, q any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (answer any, err error) {
	if r.options.Token != "" {
		md, _ := metadata.FromIncomingContext(ctx)
		given := md.Get("authorization")
		if len(given) != 1 || !r.isToken(given[0]) {
			return nil, status.Error(codes.Unauthenticated, "needs the token")
		}
	}
	leave, ok := r.enter()
	if !ok {
		return nil, later("too many requests at once")
	}
	defer leave()
	err = r.contained(func() error {
		answer, err = next(ctx, q)
		return err
	})
	if errors.Is(err, errBroken) {
		return nil, status.Error(codes.Internal, err.Error())
	}
	return answer, err
}

// later asks a client to come again.
func later(why string) error { return status.Error(codes.Unavailable, why) }

// kept keeps a request that was taken apart, or says why not.
func (r *Receiver) kept(ctx context.Context, req request, err error) (partial, error) {
	if err != nil {
		return partial{}, status.Error(codes.InvalidArgument, err.Error())
	}
	p, err := r.keep(ctx, req)
	if errors.Is(err, errNotNow) {
		return partial{}, later("cannot be stored for now")
	}
	return p, err
}

type logService struct {
	plogotlp.UnimplementedGRPCServer

	receiver *Receiver
}

func (s *logService) Export(ctx context.Context, q plogotlp.ExportRequest) (plogotlp.ExportResponse, error) {
	req, err := fromLogs(q.Logs())
	p, err := s.receiver.kept(ctx, req, err)
	answer := plogotlp.NewExportResponse()
	answer.PartialSuccess().SetRejectedLogRecords(p.rejected)
	answer.PartialSuccess().SetErrorMessage(p.message)
	return answer, err
}

type traceService struct {
	ptraceotlp.UnimplementedGRPCServer

	receiver *Receiver
}

func (s *traceService) Export(ctx context.Context, q ptraceotlp.ExportRequest) (ptraceotlp.ExportResponse, error) {
	req, err := fromTraces(q.Traces())
	p, err := s.receiver.kept(ctx, req, err)
	answer := ptraceotlp.NewExportResponse()
	answer.PartialSuccess().SetRejectedSpans(p.rejected)
	answer.PartialSuccess().SetErrorMessage(p.message)
	return answer, err
}

type metricService struct {
	pmetricotlp.UnimplementedGRPCServer

	receiver *Receiver
}

func (s *metricService) Export(ctx context.Context, q pmetricotlp.ExportRequest) (pmetricotlp.ExportResponse, error) {
	req, err := fromMetrics(q.Metrics())
	p, err := s.receiver.kept(ctx, req, err)
	answer := pmetricotlp.NewExportResponse()
	answer.PartialSuccess().SetRejectedDataPoints(p.rejected)
	answer.PartialSuccess().SetErrorMessage(p.message)
	return answer, err
}
