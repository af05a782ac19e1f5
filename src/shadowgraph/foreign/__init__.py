"""Texts of other tools, read into records: decisions, notes, graphs, reverts.

Every reader here is pure: texts come in, records and notes about them go out. Which file a
text came from, and what is stored of the records, is the business of `shadowgraph.intake`.
A reader keeps what it cannot use: the whole text stands in the record under `imported`, or
it becomes a record of kind `kept`; either way a note says so.
"""
