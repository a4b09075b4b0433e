# A runner for commands that work by hand too.

T ?= 30s
PKG ?= ./...
OUT ?= dist
TO ?= fixtures

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

.PHONY: check
check: ## everything that has to hold before a change lands
	.ci/run

.PHONY: test
test: ## all tests
	go test ./...

.PHONY: race
race: ## what starts goroutines, with the race detector
	.ci/run race

.PHONY: short
short: ## the tests without the long ones
	go test -short ./...

.PHONY: browser
browser: ## the page of serve, in Chromium
	.ci/run browser

.PHONY: fmt
fmt: ## format the sources
	.ci/run fmt

.PHONY: lint
lint: ## what the linters have to say
	.ci/run lint

.PHONY: golden
golden: ## write the expected output anew, and show what changed
	.ci/run map
	go test ./testkit/... ./internal/eval/labels ./cmd/memscribe -update
	git diff --stat -- fixtures-expected cmd/memscribe/testdata docs README.md ARCHITECTURE.md

.PHONY: fuzz
fuzz: ## every fuzz target of PKG in turn, for T each
	.ci/run fuzz $(T) $(PKG)

.PHONY: e2e
e2e: ## real clients, installed from npm, beside watch
	.ci/run e2e

.PHONY: record
record: ## fixtures of TOOL at VERSION recorded anew (SCENARIO=a,b TO=dir)
	.ci/run record $(TOOL) $(VERSION) "$(SCENARIO)" $(TO)

.PHONY: fresh
fresh: ## the newest version of each client (or of TOOL), and what is new in it
	.ci/run fresh $(TOOL)

.PHONY: live
live: ## clients (or VERSION of TOOL) beside watch, compared with a replay
	.ci/run live $(TOOL) $(VERSION) $(SCENARIO)

.PHONY: bench
bench: ## the benchmarks of PKG, ten times
	go test -run '^$$' -bench . -benchmem -count 10 $(PKG)

.PHONY: build
build: ## the program, for this machine
	CGO_ENABLED=0 go build -trimpath -o memscribe ./cmd/memscribe

.PHONY: cross
cross: ## the program, for every system it is made for
	.ci/run cross $(OUT)

.PHONY: release
release: ## what is published of a version, in dist/
	.ci/release

.PHONY: site
site: ## the documentation as a site, in site/
	.ci/site

.PHONY: vscode
vscode: ## the extension for VS Code: editors/vscode/memscribe.vsix
	cp LICENSE-MIT LICENSE-APACHE editors/vscode
	cd editors/vscode && npm ci --ignore-scripts --no-audit --no-fund && npm test && npm run package

.PHONY: cover
cover: ## how much of each package the tests reach
	go test -short -cover $(PKG)
