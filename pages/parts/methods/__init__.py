"""The methods page: definitions, provenance, questions and citations."""
