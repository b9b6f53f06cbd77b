# make app starts the dashboard, make test runs every test; both set themselves up.

PYTHON ?= python3
PORT ?= 8501
VENV := .venv
RUN := $(VENV)/bin

.PHONY: app test test-extras screenshots lint bench soak pictures clean
.DEFAULT_GOAL := app

define check_python
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
  { echo "Mirage needs Python 3.11 or newer, and '$(PYTHON)' is not. Try: make $(or $(MAKECMDGOALS),app) PYTHON=python3.12" >&2; exit 1; }
@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || \
  { echo "Python's venv module is missing. On Debian or Ubuntu: apt-get install python3-venv" >&2; exit 1; }
endef

$(VENV)/.run: requirements.txt
	$(check_python)
	@test -x $(RUN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing the packages of requirements.txt (about a minute, once) ..."
	@$(RUN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/.dev: requirements-dev.txt requirements.txt
	$(check_python)
	@test -x $(RUN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing the packages of requirements-dev.txt (about a minute, once) ..."
	@$(RUN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@ $(VENV)/.run

app: $(VENV)/.run
	@$(RUN)/python -c 'import sys; text = sys.argv[1]; sys.exit(not (text.isdigit() and len(text) < 6 and 0 < int(text) < 65536))' '$(PORT)' || \
	  { echo "A port is a number from 1 to 65535, and '$(PORT)' is not. Try: make app PORT=8501" >&2; exit 1; }
	@$(RUN)/python -c 'import socket, sys; sys.exit(socket.socket().connect_ex(("127.0.0.1", $(PORT))) == 0)' || \
	  { echo "Port $(PORT) is taken; is Mirage running already? Otherwise try: make app PORT=$$(($(PORT) + 1))" >&2; exit 1; }
	@echo "Mirage is starting at http://localhost:$(PORT) (stop it with Ctrl+C)"
	@$(RUN)/python -m streamlit run app.py --server.port $(PORT)

test: $(VENV)/.dev
	@$(RUN)/python -m pytest -n auto --dist loadfile --ignore=tests/browser
	@$(RUN)/python -m pytest tests/browser --reruns 1

screenshots: $(VENV)/.dev
	@MIRAGE_SCREENSHOTS=screenshots $(RUN)/python -m pytest tests/browser/test_every_page_in_browser.py -k sideways -q

$(VENV)/.extras: requirements-extras.txt $(VENV)/.dev
	@echo "Installing the packages of requirements-extras.txt (PyTorch among them, some minutes, once) ..."
	@$(RUN)/python -m pip install --quiet --disable-pip-version-check -r requirements-extras.txt
	@touch $@

test-extras: $(VENV)/.extras
	@HF_HUB_OFFLINE=1 $(RUN)/python -m pytest tests/contamination/test_correctness_roberta.py

lint: $(VENV)/.dev
	@$(RUN)/ruff check .
	@$(RUN)/ruff format --check .
	@$(RUN)/mypy

bench: $(VENV)/.dev
	@$(RUN)/python -m pytest tests/benchmarks --override-ini addopts=--import-mode=importlib --benchmark-only --benchmark-columns=min,median,max -q

soak: $(VENV)/.dev
	@MIRAGE_SOAK=5000 $(RUN)/python -m pytest tests/security tests/load --timeout=3600 -q

pictures: $(VENV)/.dev
	@$(RUN)/python -m tools.make_pictures

clean:
	@rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks
