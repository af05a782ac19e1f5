"""The index: derived, disposable, and the way everything is found.

The only package that imports `tantivy`. `definition` reads the index definition,
`analyzer` turns text into tokens, `documents` a record into a document, `index` is the
door to one index directory, `generations` chooses and switches that directory, `syntax`
reads what a user typed, `query` builds Tantivy queries from it, `ranking` orders hits and
`explain` says why. SQLite is not known here: records come in as bodies and rows.
"""
