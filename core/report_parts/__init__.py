"""The parts of the maintainer's report: its facts, its decision in words, and its renderings."""
