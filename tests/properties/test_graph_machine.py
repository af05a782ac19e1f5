"""Any history of writing calls, restarts, losses and restores: three tellings agree.

Hypothesis makes up histories of operations as clients call them. A dictionary is the model:
it restates in a few lines what each call should leave behind (`graph_model`). After every
step the stored records, the fold of the journal and the model must say the same, and from
time to time the index is asked for every word there is and was.

The steps stand in `graph_recording`, `graph_linking`, `graph_reviewing` and `graph_keeping`.
`SHADOWGRAPH_MACHINE=long` (make machine) runs many more and longer histories.
"""

import os

from hypothesis import settings
from tests.properties.graph_keeping import Keeping
from tests.properties.graph_linking import Linking
from tests.properties.graph_recording import Recording
from tests.properties.graph_reviewing import Reviewing


class Graph(Recording, Linking, Reviewing, Keeping):
    """Every step there is."""


LONG = os.environ.get("SHADOWGRAPH_MACHINE") == "long"
TestGraph = Graph.TestCase
TestGraph.settings = settings(
    max_examples=300 if LONG else 25,
    stateful_step_count=80 if LONG else 40,
    deadline=None,
)
