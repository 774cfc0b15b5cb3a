# throng: everything that a contributor runs. `make check` is what decides whether a change lands.

.PHONY: help check without-browser setup format modules vet lint test race e2e fuzz fuzz-long cross verify wasm examples means mutants soak soak-figure survive bench bench-live bench-thin documents build

help: ## what can be made
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

check: setup ## everything below, as continuous integration does; at its end, what this machine had to leave out
	@mkdir -p out && rm -f $(CHECKS_LEFT_OUT)
	@$(MAKE) --no-print-directory format modules vet lint wasm race
	@$(MAKE) --no-print-directory --jobs=2 e2e without-browser # which mostly waits
	@if [ -s $(CHECKS_LEFT_OUT) ]; then echo "All is well, but was not checked as a whole. Left out:"; sed 's/^/  /' $(CHECKS_LEFT_OUT); else echo "All is well."; fi

# Where tests note that they cannot run here. Where CI is set they fail instead.
export CHECKS_LEFT_OUT = $(CURDIR)/out/left-out

setup: ## install what the checks need beyond Go, where it is missing and can be installed
	@scripts/setup

build: ## bin/throng, with its page inside: one file that needs nothing else
	go run ./cmd/throng bundle -o bin/throng -- -trimpath

format:
	@bad=$$(gofmt -l $$(git ls-files '*.go')); [ -z "$$bad" ] || { echo "not formatted (run gofmt -w):"; echo "$$bad"; exit 1; }

modules: ## go.mod names what is used, and nothing else
	go mod tidy -diff

vet:
	go vet ./...

lint: ## staticcheck
	go tool staticcheck ./...

test: ## all tests, quickly
	go test ./...

# What has one thread only: the pure part, which may hold no goroutine (internal/tidy says so), runs one by one, and whole experiments.
ALONE = -e throng/world -e throng/worlds -e throng/mechanism -e throng/experiments -e throng/lab$$ -e throng/internal/image$$

# vet has been over everything by then.
race: ## all tests, under the race detector where there is anything to race
	go test -vet=off -race $$(go list ./... | grep -v $(ALONE) -e throng/web/e2e -e throng/internal/crosscheck)
	GOGC=400 go test -vet=off $$(go list ./... | grep $(ALONE))

without-browser: cross fuzz verify examples

e2e: ## the page in a real browser, against a real server; pictures go to out/e2e
	go test -count=1 -v ./web/e2e

cross: ## the same state on every kind of processor: amd64 v1 and v3, arm64, wasm
	go test -count=1 -v -run TestSameEverywhere ./internal/crosscheck

fuzz: ## every fuzz target for a moment, with inputs at random
	@scripts/fuzz 5000x

fuzz-long: ## every fuzz target for TIME (1m unless given) on all cores; prints how many inputs each has had
	@scripts/fuzz $(or $(TIME),1m)

verify: ## every experiment still gives its fingerprint
	go run ./cmd/throng verify

# The page is built with -trimpath, so that what was compiled for it need not be compiled again here. Its client is compressed once
# and kept: better before the race detector makes that take minutes.
wasm: ## what browsers will run builds for them
	GOOS=js GOARCH=wasm go build -trimpath ./world/... ./worlds/... ./mechanism/...
	GOOS=js GOARCH=wasm go build -trimpath -o /dev/null ./cmd/throng
	go test -vet=off -run TestPageIsSmall ./web

examples: ## every example runs
	@for d in examples/*/; do echo "go run ./$$d"; go run ./$$d > /dev/null || exit 1; done
	go run ./examples/02-own-world compare --world crown --quick --out out/crown > /dev/null

means: ## an experiment at full length, its means kept, and the figures in docs/reproductions written anew: EXPERIMENT=adam/delay
	go run ./cmd/throng run $(EXPERIMENT) --out out/means/$(EXPERIMENT)
	@mkdir -p experiments/means/$(dir $(EXPERIMENT))
	cp out/means/$(EXPERIMENT)/means.csv experiments/means/$(EXPERIMENT).csv
	go test -count=1 ./internal/pages -update

mutants: ## what tests do not notice: code broken in small places, at random. MUTANTS='-n 40 -seed 7 ./mechanism/aos' for a part
	go run ./internal/mutants $(MUTANTS)

bench: ## what must be fast, ready for benchstat
	go test -run '^$$' -bench . -benchmem ./world/... ./worlds/... ./mechanism/... ./lab/...

soak: ## three processes, 500 honest users, attackers of every kind and pauses, for SOAK (10m): users stay, nothing is left behind, all agree
	go build -o bin/throng ./cmd/throng
	go run ./live/hostile/soak -program bin/throng -time $(or $(SOAK),10m)

soak-figure: ## how much later 500 honest users see what others do among attackers; on an idle machine
	go build -o bin/throng ./cmd/throng
	go build -o bin/soak ./live/hostile/soak
	taskset -c 1 bin/soak -program bin/throng -figure -time 20s

documents: ## carry out every command that documents show to its end, where tests have short forms; hours
	go test -count=1 -v ./app -run CommandsInDocumentsRun -long-commands -timeout 24h

bench-thin: ## how soon thin clients see what others do, with the server on one core. LOAD='-users 1000 -format msgpack'
	go run ./live/thin/load $(LOAD)

survive: ## processes of replicated worlds are killed and paused for SURVIVE (10m) each; users notice nothing, nothing that was final is lost
	go build -o bin/throng ./cmd/throng
	go test ./live/survive -run 'Upgrade|Full' -long -v
	go run ./live/survive -program bin/throng -time $(or $(SURVIVE),10m)

bench-live: ## what the live server holds on a processor; on an idle machine. BENCH='-only rts-100' for a part
	go build -o bin/bench-live ./live/bench
	bin/bench-live $(BENCH)
