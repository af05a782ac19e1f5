"""The domain's rules as pure functions: no file, no clock, no environment.

`lifecycle` says which state may follow which, `instants` reads and writes times,
`operands` compares JSON values, `grammar` reads the rules that reopen a decision or
permit a retry, `conditions` evaluates them, `validity` picks the facts that hold at an
instant, `confidence` computes the number, `wording` compiles the word lists and
`outcome` decides whether an attempt failed. `presence` says what is there at an instant,
`memories` when a memory is the same, `walk` follows relations, `fusion` joins rankings.

Every function gets what it needs as an argument and returns a value.
Storing, indexing and telling the time happen in the layers above.
"""
