"""Importers: other people's layouts of item scores, turned into this project's two files."""
