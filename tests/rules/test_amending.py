"""Which fields may be corrected: those that only describe."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowgraph.errors import InvalidInputError, UnknownArgumentError
from shadowgraph.model.records import RECORD_MODELS
from shadowgraph.rules.amending import DESCRIPTIVE, check_amendable

FIELDS = sorted(
    (kind, str(field.alias or name))
    for kind, model in RECORD_MODELS.items()
    if kind in DESCRIPTIVE
    for name, field in model.model_fields.items()
)


@pytest.mark.parametrize(("kind", "field"), FIELDS)
def test_every_field_of_a_record_is_descriptive_or_somebody_sets_it(
    kind: str, field: str
) -> None:
    """A new field of a model has to be decided on."""
    if field in DESCRIPTIVE[kind]:
        check_amendable(kind, field, ())
        return
    with pytest.raises(InvalidInputError) as refusal:
        check_amendable(kind, field, (field,))
    assert not isinstance(refusal.value, UnknownArgumentError)
    assert refusal.value.hint


@pytest.mark.parametrize("kind", DESCRIPTIVE)
def test_every_descriptive_field_is_one_of_the_model(kind: str) -> None:
    """The table names nothing that does not exist."""
    known = {field.alias for field in RECORD_MODELS[kind].model_fields.values()}

    assert set(DESCRIPTIVE[kind]) <= known


@given(st.sampled_from(["attempt", "decision", "fact"]), st.text(min_size=1, max_size=12))
def test_a_field_that_is_not_there_is_unknown(kind: str, field: str) -> None:
    """Whatever its name; a field of an import may be corrected once it is there."""
    name = f"x-{field}"
    with pytest.raises(UnknownArgumentError):
        check_amendable(kind, name, ())

    check_amendable(kind, name, (name,))


@pytest.mark.parametrize("kind", ["task", "source", "evidence"])
def test_other_kinds_have_no_fixed_fields(kind: str) -> None:
    """They are kept as they come; only what the store owns is refused."""
    check_amendable(kind, "anything", ())
    with pytest.raises(InvalidInputError):
        check_amendable(kind, "id", ())


@pytest.mark.parametrize(
    ("kind", "tool"),
    [
        ("memory", "shadowgraph_remember"),
        ("relation", "shadowgraph_unlink"),
        ("review", "shadowgraph_ack_review"),
        ("kept", "import"),
    ],
)
@pytest.mark.parametrize("field", ["text", "reason", "value", "anything"])
def test_a_kind_with_operations_of_its_own_is_not_corrected(
    kind: str, field: str, tool: str
) -> None:
    """The refusal names the right one, whether the field is there or not."""
    for held in ((), (field,)):
        with pytest.raises(InvalidInputError) as refusal:
            check_amendable(kind, field, held)
        assert tool in refusal.value.hint
