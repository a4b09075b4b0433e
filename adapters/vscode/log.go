package vscode

import (
	"cmp"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/adapters/vscode/changed"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// change reads a line of a log: it applies it to the open request, and passes on what
// is settled by it. A line about a request that is passed on is not kept.
func (p *parser) change(v jsondoc.Value) {
	kind, _ := v.Get("kind").Int()
	path, value := v.Get("k"), v.Get("v")
	if kind == 0 {
		p.results = true
		p.whole(value)
		return
	}
	if !p.started { // the beginning of the log is lost
		p.start(jsondoc.Value{})
	}
	first, second, n := keys(path)
	at, _ := second.Int()
	p.results = n < 2 || isOf(path, "result")
	if p.ended && (n < 2 || !first.Is("requests") || !p.isLast(at)) {
		p.settle(true) // its last save is over
	}
	switch {
	case n == 0 && kind == 1:
		p.whole(value)
	case !first.Is("requests"):
		p.header(first, n, value)
	case n == 1 && kind == 2:
		p.pushed(value, cut(v))
	case n == 1 && kind == 1:
		p.pushed(value, 0)
	case n == 1:
		p.pushed(jsondoc.Value{}, 0)
	default:
		p.disabled(int(at), path, value)
		if !p.isLast(at) {
			return // of the others nothing is kept that could change
		}
		p.apply(kind, path, value, cut(v))
		late := p.ended && isOf(path, "response")
		if p.settled || late || settles(path) {
			p.settle(late)
		}
	}
}

// disabled notes that a checkpoint was gone back to, or that this was taken back: the
// requests behind it stay until something else is asked.
func (p *parser) disabled(n int, path, value jsondoc.Value) {
	if !isOf(path, "shouldBeRemovedOnSend") {
		return
	}
	if id := p.idAt(n); isRemoved(value) {
		p.undone = append(p.undone, id)
	} else {
		p.undone = slices.DeleteFunc(p.undone, func(other string) bool { return other == id })
	}
}

// restored passes on that a checkpoint was gone back to, once what was undone is reported.
func (p *parser) restored() {
	if len(p.undone) == 0 || p.open != nil && !p.settled {
		return
	}
	to := p.origin
	for _, r := range p.requests {
		if slices.Contains(p.undone, r.id) {
			p.wentBack(r.id, to)
			return
		}
		to = r
	}
}

// wentBack passes a rewind on, once.
func (p *parser) wentBack(request string, to mark) {
	if p.back[request] {
		return
	}
	if p.back == nil {
		p.back = map[string]bool{}
	}
	p.back[request] = true
	p.rewound(request, to)
}

// isRemoved reports whether a request is one of those that go when something else is
// asked. Of one in which a person has gone back to a single edit, the part before stays.
func isRemoved(mark jsondoc.Value) bool {
	return mark.Bool() || mark.Kind() == jsondoc.Object && mark.Get("afterUndoStop").Kind() != jsondoc.String
}

// cut is the length to which a list is cut; -1 is none.
func cut(v jsondoc.Value) int64 {
	if n, ok := v.Get("i").Int(); ok && n >= 0 {
		return n
	}
	return -1
}

// keys returns the first two keys of a path, and how many there are.
func keys(path jsondoc.Value) (first, second jsondoc.Value, n int) {
	for key := range path.Elems() {
		switch n {
		case 0:
			first = key
		case 1:
			second = key
		}
		n++
	}
	return first, second, n
}

// apply changes the open request: the first two keys of the path lead to it.
func (p *parser) apply(kind int64, path, value jsondoc.Value, cut int64) {
	switch kind {
	case 1:
		p.open.Set(path, 2, value)
	case 2:
		p.open.Push(path, 2, value, cut)
	case 3:
		p.open.Set(path, 2, jsondoc.Value{})
	}
}

// header notes a change outside the requests.
func (p *parser) header(name jsondoc.Value, depth int, value jsondoc.Value) {
	if depth != 1 {
		return
	}
	switch {
	case name.Is("workingDirectory"):
		p.workspace = cmp.Or(filePath(value), p.workspace)
	case name.Is("repoData"):
	default:
		return
	}
	p.locate(jsondoc.Value{})
}

// whole reads a session as it is: at the start of a log, or when the client
// has written it again.
func (p *parser) whole(v jsondoc.Value) {
	p.start(v)
	p.pushed(v.Get("requests"), 0)
}

// pushed cuts the list of requests to a length, if that is not negative, and
// appends others. Requests that stand there again under their ids are not new,
// and were not taken back.
// For example with three requests, cut to one and followed by two that have the ids of
// the second and a new one: the second stays, the third is taken back, the new one is
// added.
func (p *parser) pushed(list jsondoc.Value, at int64) {
	all := len(p.requests)
	if p.open != nil && !p.settled {
		all++
	}
	if at < 0 || at > int64(all) {
		at = int64(all)
	}
	stays := int(at)
	for r := range list.Elems() {
		if stays < all && p.idAt(stays) == r.Get("requestId").Str() {
			p.rewritten(stays, r)
			stays++
			continue
		}
		if stays < all {
			p.cutBack(stays)
		}
		p.append(r)
		all = len(p.requests) + 1
		if p.settled {
			all--
		}
		stays = all
	}
	if stays < all {
		p.cutBack(stays)
	}
}

// idAt is the id of the n-th request.
func (p *parser) idAt(n int) string {
	if n < len(p.requests) {
		return p.requests[n].id
	}
	return p.openID
}

// read is the open request as it is.
func (p *parser) read() jsondoc.Value {
	p.changed.Reset()
	p.changed.Write(p.open.Write(p.changed.AvailableBuffer()))
	if _, err := p.doc.Parse(p.changed.Bytes()); err != nil {
		return jsondoc.Value{}
	}
	return p.doc.Root()
}

// rewritten writes a request again that stays where it is.
func (p *parser) rewritten(n int, r jsondoc.Value) {
	last := n == len(p.requests) || n == len(p.requests)-1 && p.settled
	if !last || p.open == nil {
		return
	}
	p.open = changed.NewTree(r)
	p.settle(isSettled(r))
}

// append adds a request: the one before it is settled then. What only waits until
// the agent is there, is reported when it is sent, or when it never was.
func (p *parser) append(r jsondoc.Value) {
	p.settle(true)
	p.open, p.openID, p.settled, p.done = changed.NewTree(r), idOf(r), false, 0
	p.ended, p.used = false, core.Usage{}
	clear(p.told)
	if isRemoved(r.Get("shouldBeRemovedOnSend")) {
		p.undone = append(p.undone, p.openID)
	}
	if !isWaiting(r) {
		p.began(r)
	}
	p.settle(isSettled(r)) // one that comes with its result comes whole
}

// isWaiting reports whether a request was put in before there was an agent that
// could take it: when there is, the client sends it again under another id, in
// its place.
func isWaiting(r jsondoc.Value) bool { return r.Path("agent", "id").Is("setup.agent") }

// cutBack takes back the requests from the n-th on.
func (p *parser) cutBack(n int) {
	id := p.idAt(n)
	if n == len(p.requests) && p.open != nil && !p.settled && !p.known[id] {
		p.open, p.openID, p.ended = nil, "", false // no one has heard of it
		return
	}
	p.settle(true)
	to := p.origin
	if n > 0 && n <= len(p.requests) {
		to = p.requests[n-1]
	}
	p.requests = p.requests[:min(n, len(p.requests))]
	p.open, p.openID, p.settled, p.ended = nil, "", false, false
	p.undone = slices.DeleteFunc(p.undone, func(other string) bool {
		return !slices.ContainsFunc(p.requests, func(m mark) bool { return m.id == other })
	})
	p.wentBack(id, to)
}

// isLast reports whether the n-th request is the one that can still change.
func (p *parser) isLast(n int64) bool {
	last := int64(len(p.requests))
	if p.settled {
		last--
	}
	return p.open != nil && n == last && n >= 0
}

// settles reports whether a change of a request can be what settles it.
func settles(path jsondoc.Value) bool {
	return isOf(path, "result", "modelState", "isCanceled")
}

// isOf reports whether a change is one of a request as a whole, or of one of
// these of its members.
func isOf(path jsondoc.Value, members ...string) bool {
	n := 0
	for key := range path.Elems() {
		if n++; n == 3 {
			return slices.ContainsFunc(members, key.Is)
		}
	}
	return n == 2
}

// settle passes on the open request when nothing more will come of it, and what
// came after that all the same.
// Parts that come after that are passed on from where it left off (done).
func (p *parser) settle(now bool) {
	if p.open == nil {
		return
	}
	r := p.read()
	switch {
	case p.settled:
		p.requests = p.requests[:len(p.requests)-1]
		p.request(r, p.done)
	case now || isSettled(r) && !isBehind(r):
		p.settled, p.ended = true, false
		p.request(r, 0)
	default:
		p.ended = isSettled(r)
	}
}

// isSettled reports whether a request has its result.
// States 1 to 3 are complete, cancelled and failed.
func isSettled(r jsondoc.Value) bool {
	if r.Get("isCanceled").Bool() {
		return true
	}
	if r.Get("result").Kind() != jsondoc.Object {
		return false
	}
	state := r.Path("modelState", "value")
	n, ok := state.Int()
	return !ok || n >= 1 && n <= 3
}

// isBehind reports whether the response of a request lacks what its result has:
// the client writes a request's members in a fixed order, the response last.
func isBehind(r jsondoc.Value) bool {
	var last jsondoc.Value
	owed, results := 0, r.Path("result", "metadata", "toolCallResults")
	for last = range r.Path("result", "metadata", "toolCallRounds").Elems() {
		for c := range last.Get("toolCalls").Elems() {
			if !strings.HasPrefix(resultText(results.Get(c.Get("id").Str())), "ERROR") { // such a call may have no part
				owed++
			}
		}
	}
	calls, said := 0, false // the parts of calls, and whether words follow the last
	for part := range r.Get("response").Elems() {
		switch kind := part.Get("kind"); {
		case isCall(kind) && !subagent(part):
			calls, said = calls+1, false
		case !kind.Exists() && strings.Trim(part.Get("value").Str(), " \r\n`") != "":
			said = true
		}
	}
	if last.Exists() {
		return calls < owed || !said && strings.TrimSpace(last.Get("response").Str()) != ""
	}
	state, _ := r.Path("modelState", "value").Int()
	return state == 1 && !said && calls == 0 && !r.Path("result", "errorDetails").Exists()
}

// isCall reports whether a part of a response is a call of a tool.
func isCall(kind jsondoc.Value) bool {
	return kind.Is("toolInvocationSerialized") || kind.Is("toolInvocation")
}
