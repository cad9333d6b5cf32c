PYTHON = .venv/bin/python
