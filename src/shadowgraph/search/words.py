"""By which tokens a word of a query is found, and what each of them is worth.

A token that a tenth of a large index holds tells little and costs most: the engine reads
every record with it. Such *common* tokens are left to the second step, which looks at the
best records only, as long as the query has rarer tokens to find them by. Lucene called that
a common terms query. Measured with a tenth, on sets of 3,500 to 20,000 records, no set
ranks worse by more than 0.001; on sets of hundreds of long texts a tenth of them is not
common but what they are about, which is why small indexes are left alone.
"""

import math
from collections.abc import Callable, Container, Iterable, Mapping

from shadowgraph.search.analyzer import STEMMED, Chunk
from shadowgraph.search.clauses import SHOULD, Clause, term
from shadowgraph.search.definition import Definition
from shadowgraph.search.plan import Group, Plan, Token
from shadowgraph.search.snapshot import Snapshot


class Words:
    """The words of a query as clauses, with the weights of one definition."""

    def __init__(self, definition: Definition) -> None:
        """Use the tables `boost` and `query` of *definition*."""
        self._boost: Mapping[str, float] = definition.ranking["boost"]
        limits = definition.ranking["query"]
        self._repeat = float(limits["repeat"])
        self._common = float(limits["common"])
        self._common_from = int(limits["common_from"])

    def led(self, plan: Plan, snapshot: Snapshot) -> Plan:
        """Return *plan* with its common tokens marked, when it has rarer ones, too."""
        documents = snapshot.documents
        if documents < self._common_from:
            return plan
        most = self._common * documents
        content = self._frequencies(plan.groups, snapshot)
        held = content | self._frequencies(plan.support, snapshot)
        common = frozenset(token for token, count in held.items() if count > most)
        leads = any(content[token] for token in content.keys() - common)
        return plan._replace(common=common) if leads else plan

    def _frequencies(self, groups: Iterable[Group], snapshot: Snapshot) -> dict[Token, int]:
        tokens = [token for group in groups for token in self.tokens(group)]
        return {token: snapshot.frequency(*token) for token in tokens}

    def clauses(self, group: Group, *, but: Container[Token] = ()) -> list[Clause]:
        """Return the clauses of one word of a query, without some tokens."""
        return self._clauses(group, lambda token: token not in but)

    def left(self, plan: Plan) -> Iterable[Clause]:
        """Yield the clauses of the common tokens, which found nothing."""
        if plan.common:
            for group in (*plan.groups, *plan.support):
                yield from self._clauses(group, plan.common.__contains__)

    def tokens(self, group: Group) -> list[Token]:
        """Return the tokens that one word of a query is found by."""
        return [token for token, _ in self._weighted(group)]

    def only_ordering(self, plan: Plan) -> list[str]:
        """Return the words of a query that found nothing, being too common for it."""
        return [
            group.chunk.surface
            for group in plan.groups
            if plan.common and plan.common.issuperset(self.tokens(group))
        ]

    def times(self, group: Group) -> float:
        """Return how much more a repeated word counts than a single one."""
        return 1.0 + self._repeat * math.log(group.count)

    def _clauses(self, group: Group, wanted: Callable[[Token], bool]) -> list[Clause]:
        times = self.times(group)
        return [
            (SHOULD, term(*token, boost * times))
            for token, boost in self._weighted(group)
            if wanted(token)
        ]

    def _weighted(self, group: Group) -> Iterable[tuple[Token, float]]:
        """Yield each token of a group with its boost."""
        yield from self._of_chunk(group.chunk)
        for full in group.prefixed:
            yield ("exact", full), self._boost["whole"]

    def _of_chunk(self, chunk: Chunk) -> Iterable[tuple[Token, float]]:
        known = any(one.form != "exact" for one in chunk.terms)
        for one in chunk.terms:
            if one.form == "joined":
                # The whole stands for it, also where it was written in one case.
                continue
            token = "text" if one.form in STEMMED else "exact", one.text
            if one.part:
                yield token, self._boost["part"]
            elif one.form != "exact":
                yield token, self._boost[one.form]
            elif not known:
                # A single character of a script without spaces has no other token.
                yield token, 1.0
