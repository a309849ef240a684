package fakeserver

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"time"

	"cdcseed/fakeserver/tds"
)

// startControl listens for control requests when the options ask for it.
func (s *Server) startControl(ctx context.Context) error {
	if s.options.Control == "" {
		return nil
	}
	ln, err := listenLoopback(ctx, s.options.Control)
	if err != nil {
		return err
	}
	s.listens = ln.Addr().String()
	s.control = &http.Server{Handler: loopbackOnly(s.routes()), ReadHeaderTimeout: 10 * time.Second}
	s.served = make(chan struct{})
	release := context.AfterFunc(ctx, func() { _ = s.control.Close() }) // Close reports it
	go func() {
		defer close(s.served)
		defer release()
		if err := s.control.Serve(ln); !errors.Is(err, http.ErrServerClosed) && s.options.Log != nil {
			s.options.Log.Error("control requests end", "error", err)
		}
	}()
	return nil
}

// loopbackOnly turns away requests that a web page makes under a name of its
// own: the control port has no password.
func loopbackOnly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			host = r.Host
		}
		if !isLoopback(host) || r.Header.Get("Origin") != "" {
			answer(w, http.StatusForbidden, map[string]any{"error": "control requests come from this machine, not from a web page"})
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /advance", post(s.postAdvance))
	mux.HandleFunc("POST /commit", post(s.postCommit))
	mux.HandleFunc("POST /idle", post(s.postIdle))
	mux.HandleFunc("POST /cleanup", post(s.postCleanup))
	mux.HandleFunc("POST /capture", post(s.postCapture))
	mux.HandleFunc("POST /drop-instance", post(s.postDropInstance))
	mux.HandleFunc("POST /capture-job", post(s.postCaptureJob))
	mux.HandleFunc("POST /fault", post(s.postFault))
	mux.HandleFunc("POST /offline", post(s.postOffline))
	mux.HandleFunc("POST /drop-connections", post(s.postDropConnections))
	mux.HandleFunc("GET /statements", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, map[string]any{"statements": s.Statements()})
	})
	mux.HandleFunc("DELETE /statements", func(w http.ResponseWriter, _ *http.Request) {
		s.ForgetStatements()
		answer(w, http.StatusOK, map[string]any{})
	})
	mux.HandleFunc("GET /lsn", func(w http.ResponseWriter, r *http.Request) {
		l, err := s.MaxLSN(r.URL.Query().Get("database"))
		respond(w, map[string]any{"max_lsn": l, "now": s.Now()}, err)
	})
	return mux
}

// post reads a request's JSON strictly and sends what f answers.
func post[T any](f func(T) (map[string]any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var q T
		if err := decodeStrict(http.MaxBytesReader(w, r.Body, 16<<20), &q); err != nil {
			answer(w, http.StatusBadRequest, map[string]any{"error": err.Error()})
			return
		}
		out, err := f(q)
		respond(w, out, err)
	}
}

// respond sends the result, or the error with SQL Server's number if it has
// one.
func respond(w http.ResponseWriter, out map[string]any, err error) {
	var e *tds.Error
	switch {
	case errors.As(err, &e):
		answer(w, http.StatusConflict, map[string]any{"error": err.Error(), "number": e.Number})
	case err != nil:
		answer(w, http.StatusConflict, map[string]any{"error": err.Error()})
	default:
		answer(w, http.StatusOK, out)
	}
}

func answer(w http.ResponseWriter, status int, body map[string]any) {
	b, err := json.Marshal(body)
	if err != nil {
		status, b = http.StatusInternalServerError, []byte(`{"error":"the answer has no JSON form"}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(b, '\n')) // a client that has gone away needs no answer
}
