"""Fresh items: a test set from facts that changed after a model's cutoff, so that it cannot have leaked.

The way through: statements (`entities`, `dump`) -> facts that changed (`facts`) -> a document that says so
(`documents`, `revisions`) -> items (`building`, `items`) -> a score (`answers`, `scoring`).
"""
