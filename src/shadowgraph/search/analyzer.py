"""One analyzer, for documents, queries and highlights.

Text is cut into *chunks*: runs of word characters joined by connectors, such as
`getUserById`, `src/utils/parser.ts`, `v2.49.0` or `lock`. A chunk becomes tokens of five
forms, always by the same rules, so a document and a query meet:

* *stem*: a word's stem after case and accents are folded; the words of an identifier too;
* *exact*: the word as it was written, case folded, accents kept;
* *whole*: an identifier, path, version, code or hash as one token, its connectors taken
  out, so that `OPENAI_API_KEY`, `openai-api-key` and `openaiApiKey` are the same;
* *joined*: the stem of a short name whose case changes (`SQLite`), for who writes it in one
  case; it is only written into the index, a query asks for the whole;
* *pair*: two neighbouring characters of a script that is written without spaces.

An identifier is split before its case is folded. Digits stay with the letters before them
(`E0382`, `utf8`, `TS2345`). There is no shortest token and no stop word here: a query may
drop function words, an index never does. Stems and pairs go to the field `text` in the
order of the text; exact and whole tokens go to the field `exact`.

Distinct chunks are few where text is long, so the analysis of a chunk is remembered: that
makes Python fast enough to index (measured four times faster).
"""

import re
import threading
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

import Stemmer

from shadowgraph.search.chunking import chunk_pattern
from shadowgraph.search.definition import Analysis
from shadowgraph.search.folding import (
    APOSTROPHE,
    clusters,
    composed,
    fold,
    script_of,
    uncontracted,
)

Form = Literal["stem", "joined", "exact", "whole", "pair"]

STEMMED = ("stem", "joined", "pair")

MOST_JOINED = 3
"Words of a name such as `PostgreSQL` that is found as one word, too."

REMEMBERED = 20_000
"Distinct chunks whose whole analysis is kept; of eight times as many the fields are."

_EDGES = ".+#"
"Signs a chunk may begin or end with; they count only in a named language token."
_CAMEL = re.compile(
    "(?<=[a-z\u00df-\u00f6\u00f8-\u00ff])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])"
)
_COMPONENT = re.compile(r"[/\\:@=&]+")
_VERSION = re.compile(r"v?(\d+(?:\.\d+)+[-+.a-z0-9]*)\Z")
_HASH = re.compile(r"(?=.*\d)(?=.*[a-f])[0-9a-f]+\Z|[0-9]{7,}\Z")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "ø": "oe"})


class Term(NamedTuple):
    """One token of a chunk."""

    text: str
    form: Form
    part: bool = False
    "True for a word inside an identifier: it counts less than the word alone."


class Chunk(NamedTuple):
    """A run of text and its tokens."""

    terms: tuple[Term, ...]
    text: str
    "Stems and pairs, space-separated, for the index field `text`."
    exact: str
    "Exact and whole tokens, space-separated, for the index field `exact`."
    surface: str
    "The chunk, case folded: what decides whether it is a function word."
    is_word: bool
    "True for a plain word: not an identifier, not a script without spaces."


class Span(NamedTuple):
    """A chunk at its place: half-open character offsets into the text."""

    start: int
    end: int
    chunk: Chunk


Prepared = tuple[str, str, tuple[str, ...]]
"Stems and pairs, exact and whole tokens, and all of them one by one."


class _Memory(dict[str, Prepared]):
    """What the index holds of a chunk, remembered per distinct chunk.

    A dictionary that fills itself: looking one up is all that most chunks cost.
    """

    def __init__(self, prepare: Callable[[str], Prepared]) -> None:
        super().__init__()
        self._prepare = prepare

    def __missing__(self, piece: str) -> Prepared:
        if len(self) >= REMEMBERED * 8:
            self.clear()
        self[piece] = found = self._prepare(piece)
        return found


class Analyzer:
    """The analyzer of one definition."""

    def __init__(self, settings: Analysis) -> None:
        """Compile the patterns that *settings* ask for."""
        self._settings = settings
        self._stemmers = {
            # Without a memory of its own: words are remembered here, and its is slower for
            # a word it has not seen (0.6 us where it takes 3 to 4).
            script: Stemmer.Stemmer(language, 0)
            for script, language in settings.stemmers.items()
        }
        self._stemming = threading.Lock()
        self._connector = re.compile(f"[{re.escape(settings.connectors)}]+")
        self._chunks = re.compile(chunk_pattern(settings))
        self._pairs = re.compile(
            "([" + "".join(f"{chr(a)}-{chr(b - 1)}" for a, b in settings.pairs) + "]+)"
        )
        self._named = frozenset(settings.language_tokens)
        self.chunk = lru_cache(maxsize=REMEMBERED)(self._analyze)
        # Identifiers are made of few words, put together in many ways.
        self._word = lru_cache(maxsize=REMEMBERED)(self._word_terms)
        self._memory = _Memory(self._prepared)

    def spans(self, text: str) -> Iterator[Span]:
        """Yield every chunk of *text* with its place."""
        for found in self._chunks.finditer(text):
            yield Span(found.start(), found.end(), self.chunk(found.group()))

    def pieces(self, text: str, start: int = 0) -> Iterator[re.Match[str]]:
        """Yield the chunks of *text* from *start* on, unread."""
        return self._chunks.finditer(text, start)

    def tokens(self, piece: str) -> tuple[str, ...]:
        """Return the tokens of the chunk *piece*."""
        return self._memory[piece][2]

    def fields(self, text: str) -> tuple[str, str]:
        """Return *text* prepared for the index fields `text` and `exact`."""
        memory = self._memory
        prepared = list(map(memory.__getitem__, self._chunks.findall(text)))
        if not prepared:
            return "", ""
        stems, exact, _ = zip(*prepared, strict=True)
        return " ".join(stems), " ".join(exact)

    def forget(self) -> None:
        """Let go of the chunks that were remembered."""
        self._memory.clear()
        self.chunk.cache_clear()
        self._word.cache_clear()

    def is_hash(self, word: str) -> bool:
        """Say whether a case-folded *word* is a hexadecimal hash or a part of one."""
        return len(word) >= self._settings.shortest_hash and bool(_HASH.match(word))

    def _analyze(self, raw: str) -> Chunk:
        if self._is_plain(raw):
            return self._plain_word(raw.lower())
        surface = raw if raw.isascii() else composed(raw)
        terms = tuple(dict.fromkeys(self._terms(surface)))
        text, exact = _joined(terms)
        return Chunk(
            terms=terms,
            text=text,
            exact=exact,
            surface=surface.casefold(),
            is_word=len(terms) <= 3 and not any(t.part or t.form == "pair" for t in terms),
        )

    def _prepared(self, raw: str) -> Prepared:
        """Return what the index holds of a chunk, without what only a query asks."""
        if self._is_plain(raw):
            word = raw.lower()
            stem = self.stem(word)
            return stem, word, (stem, word)
        surface = raw if raw.isascii() else composed(raw)
        terms = dict.fromkeys(self._terms(surface))
        return *_joined(terms), tuple([term.text for term in terms])

    def _is_plain(self, raw: str) -> bool:
        """Say whether *raw* is a word without a sign, a digit or a second capital."""
        if not (raw.isascii() and raw.isalpha()):
            return False
        one_case = raw.islower() or raw[1:].islower() or raw.isupper()
        return one_case and len(raw) <= self._settings.longest_token

    def _plain_word(self, word: str) -> Chunk:
        """Return the analysis of what most chunks are."""
        stem = self.stem(word)
        terms = (Term(stem, "stem"), Term(word, "exact"))
        return Chunk(terms, text=stem, exact=word, surface=word, is_word=True)

    def _terms(self, surface: str) -> list[Term]:
        folded = surface.casefold()
        if folded in self._named:
            return [Term(folded, "stem"), Term(folded, "exact")]
        whole = surface.strip(_EDGES)
        if whole.isascii():
            return self._run_terms(whole) if whole else []
        terms: list[Term] = []
        for run in filter(None, self._pairs.split(whole)):
            paired = not run.isascii() and self._pairs.fullmatch(run)
            terms += _pair_terms(run) if paired else self._run_terms(run)
        return terms

    def _run_terms(self, run: str) -> list[Term]:
        """Tokens of a run of letters, digits and connectors in an ordinary script."""
        first = run[0]
        numbered = "." in run and (first in "vV" or first.isdecimal())
        version = _VERSION.match(run.casefold()) if numbered else None
        if version:
            return self._version_terms(version.group(1))
        if ("'" in run or not run.isascii()) and APOSTROPHE.search(run):
            return [term for word in uncontracted(run) for term in self._run_terms(word)]
        words = self._words_of(run)
        inside = len(words) > 1
        terms = [term for word in words for term in self._word(word, inside)]
        if inside:
            joined = self._cut("".join(words).casefold())
            if len(words) <= MOST_JOINED and run.isalpha():
                terms.append(Term(self.stem(fold(joined)), "joined"))
            terms += [Term(joined, "whole"), *self._component_terms(run)]
        return terms

    def _words_of(self, run: str) -> list[str]:
        """Split an identifier at its connectors and its capitals."""
        words: list[str] = []
        for part in self._connector.split(run):
            if part.islower() or part.isupper():
                words.append(part)
            elif part:
                words += _CAMEL.split(part)
        return words

    def _version_terms(self, version: str) -> list[Term]:
        whole, numbers = self._cut(version), version.split(".")
        # 3.11 finds 3.11.7; a lone major number would find everything.
        shorter = (".".join(numbers[:count]) for count in range(2, len(numbers)))
        return [
            Term(whole, "stem"),
            Term(whole, "whole"),
            *(Term(one, "exact", part=True) for one in shorter),
        ]

    def _component_terms(self, run: str) -> Iterator[Term]:
        """Each component of a path or a qualified name that is an identifier itself."""
        components = _COMPONENT.split(run)
        if len(components) == 1:
            return
        for piece in dict.fromkeys(components):
            # A word of one part joins to itself.
            joined = "" if piece.isalnum() else self._connector.sub("", piece)
            if joined != piece and joined:
                yield Term(self._cut(joined.casefold()), "whole")

    def _word_terms(self, word: str, inside: bool) -> tuple[Term, ...]:
        if word.isascii() and word.isalpha():
            exact = self._cut(word.lower())
            stem = Term(self.stem(exact), "stem", inside)
            return (stem,) if inside else (stem, Term(exact, "exact"))
        return tuple(self._of_word(word, inside))

    def _of_word(self, word: str, inside: bool) -> Iterator[Term]:
        exact = self._cut(word.casefold())
        plain = fold(exact)
        if not plain:
            # Only marks or a filler: nothing that anybody looks for.
            return
        if not plain.isalpha() and self.is_hash(plain):
            yield Term(plain, "stem", inside)
            yield Term(plain, "whole", inside)
            return
        yield Term(self.stem(plain), "stem", inside)
        # A part has no exact token: that is what ranks the word itself above it.
        if not inside:
            yield Term(exact, "exact")
        if exact.isascii():
            return
        spelled = exact.translate(_UMLAUTS)
        if spelled != exact:
            yield Term(self.stem(fold(spelled)), "stem", inside)

    def stem(self, word: str) -> str:
        """Return the stem of a folded *word*; itself in a language without a stemmer."""
        script = "latin" if word.isascii() and word.isalpha() else script_of(word)
        stemmer = self._stemmers.get(script) if script else None
        if stemmer is None:
            return word
        with self._stemming:  # a Snowball stemmer works in a buffer of its own
            return str(stemmer.stemWord(word))

    def _cut(self, token: str) -> str:
        return token[: self._settings.longest_token]


def _joined(terms: Iterable[Term]) -> tuple[str, str]:
    """Return the tokens for the index fields `text` and `exact`, space-separated."""
    text = [token for token, form, _ in terms if form in STEMMED]
    exact = [token for token, form, _ in terms if form not in STEMMED]
    return " ".join(text), " ".join(exact)


def _pair_terms(run: str) -> Iterator[Term]:
    characters = clusters(run)
    for one, two in pairwise(characters):
        yield Term(one + two, "pair")
    for one in characters:
        yield Term(one, "exact")
