from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import UsageError
from core.fresh.entities import Entity, Statement
from core.fresh.facts import (
    EXPLANATIONS,
    Change,
    Drop,
    Funnel,
    check_window,
    describe_change,
    find_change,
    newest,
)
from core.fresh.times import PartialDate, compare, parse_time

CUTOFF, UNTIL = PartialDate(2022, 12, 31), PartialDate(2024, 12, 31)


def s(value, start=None, end=None, claim_id=None):
    return Statement("Q1", "P6", value, parse_time(start), parse_time(end), claim_id=claim_id)


def outcome(*statements, cutoff=CUTOFF, until=UNTIL):
    return find_change(statements, cutoff, until)


def test_a_plain_change():
    old, new = s("Q2", "2019-05-01", "2023-03-10"), s("Q3", "2023-03-10")
    assert outcome(new, old) == Change(old, new)


@pytest.mark.parametrize(
    ("statements", "reason"),
    [
        ([s("Q2"), s("Q3", None, "2023-01-01")], Drop.NO_START),
        ([s("Q2", "2023-05-01")], Drop.NO_OLD),
        ([s("Q2", "2019-01-01")], Drop.UNCHANGED),
        ([s("Q2", "2019-01-01", "2020-01-01"), s("Q2", "2023-01-02")], Drop.UNCHANGED),
        (
            [s("Q2", "2019-01-01", "2023-02-01"), s("Q3", "2023-02-01", "2023-09-01"), s("Q2", "2023-09-01")],
            Drop.REVERTED,
        ),
        ([s("Q2", "2019-01-01"), s("Q3", "2023-02-01")], Drop.NO_END),
        ([s("Q2", "2019-01-01", "2023-08-31"), s("Q3", "2023-02-01")], Drop.OVERLAP),
        ([s("Q2", "2019-01-01", "2023-02-01"), s("Q3", "2023-02-01"), s("Q4", "2023-02-01")], Drop.TIE),
        ([s("Q2", "2019-01-01"), s("Q3", "2019-01-01"), s("Q4", "2023-02-01")], Drop.TIE),
        ([s("Q2", "2019-01-01", "2023-10-01"), s(None, "2023-10-01")], Drop.NO_VALUE),
        ([s(None, "2019-01-01", "2023-10-01"), s("Q3", "2023-10-01")], Drop.NO_VALUE),
        ([s("Q2", "2019-01-01", "2025-02-01"), s("Q3", "2025-02-01")], Drop.UNCHANGED),
    ],
)
def test_each_reason(statements, reason):
    assert outcome(*statements) is reason
    assert outcome(*reversed(statements)) is reason


def test_several_changes_give_the_last_value():
    old, middle, last = (
        s("Q2", "2019-01-01", "2023-02-01"),
        s("Q3", "2023-02-01", "2023-09-01"),
        s("Q4", "2023-09-01"),
    )
    assert outcome(old, middle, last) == Change(old, last)


def test_a_return_to_a_value_of_before_the_cutoff_counts_as_new():
    first, old, again = (
        s("Q3", "2015-01-01", "2019-01-01"),
        s("Q2", "2019-01-01", "2023-02-01"),
        s("Q3", "2023-02-01"),
    )
    assert outcome(first, old, again) == Change(old, again)


@pytest.mark.parametrize(
    ("end", "start"),
    [
        ("2023-03-10", "2023-03-10"),
        ("2023-03-00", "2023-03-10"),
        ("2023-00-00", "2023-03-10"),
        ("2023-03-10", "2023-00-00"),
        ("2023-09-00", "2023-09-00"),
        ("2021-00-00", "2023-11-06"),
    ],
)
def test_end_and_start_that_agree_as_far_as_known_do_not_overlap(end, start):
    assert isinstance(outcome(s("Q2", "2018-00-00", end), s("Q3", start)), Change)


@pytest.mark.parametrize("start", ["2023-00-00", "2023-01-00"])
def test_a_year_or_month_at_the_edge_is_not_later_than_a_cutoff_within_it(start):
    """As text, 2023-00-00 is smaller than 2023-01-15 and larger than 2022-12-31; as a date it may be either."""
    old, new = s("Q2", "2018-01-01", "2022-00-00"), s("Q3", start)
    assert outcome(old, new, cutoff=PartialDate(2023, 1, 15)) is Drop.UNCHANGED
    assert outcome(old, new, cutoff=PartialDate(2022, 12, 31)) == Change(old, new)


def test_the_upper_edge_counts_a_start_that_may_lie_within():
    old, new = s("Q2", "2018-01-01", "2022-00-00"), s("Q3", "2024-00-00")
    assert outcome(old, new, until=PartialDate(2024, 6, 30)) == Change(old, new)


def test_an_old_value_that_ended_when_it_started():
    old, new = s("Q2", "2021-00-00", "2021-00-00"), s("Q3", "2023-05-03", "2023-06-15")
    assert outcome(old, new) == Change(old, new)


def test_ends_decide_where_starts_agree():
    season, after = s("Q2", "2022-00-00", "2022-06-30"), s("Q3", "2022-07-01")
    assert newest([season, after], CUTOFF) is after
    brief, rest = s("Q2", "2022-07-01", "2022-08-01"), s("Q3", "2022-00-00")
    assert newest([brief, rest], CUTOFF) is rest  # the one that has ended comes before the one that goes on
    assert (
        newest([s("Q2", "2021-00-00", "2021-00-00"), s("Q3", "2021-00-00", "2021-00-00")], CUTOFF) is Drop.TIE
    )


def test_years_before_the_common_era_and_of_five_digits():
    old = s("Q2", "-0044-03-15", "2023-01-01")
    assert outcome(old, s("Q3", "2023-01-01")).old == old
    assert outcome(old, s("Q3", "12024-01-01")) is Drop.UNCHANGED


statements = st.lists(
    st.builds(
        lambda value, year, month, length, ended: Statement(
            "Q1",
            "P6",
            value,
            None if year is None else PartialDate(year, month),
            None if year is None or not ended else PartialDate(year + length, month),
        ),
        st.sampled_from(["Q2", "Q3", "Q4", None]),
        st.one_of(st.none(), st.integers(2018, 2026)),
        st.one_of(st.none(), st.integers(1, 12)),
        st.integers(0, 3),
        st.booleans(),
    ),
    min_size=1,
    max_size=6,
)


def plain_rule(given_statements, cutoff, until):
    """The four steps of the rule, word for word; the last start must be the only one of its kind, or ends must tell."""

    def before(one, other):
        order = compare(one.start, other.start)
        ends = [
            each.end is not None and compare(each.end, rest.start) <= 0
            for each, rest in ((one, other), (other, one))
        ]
        return order < 0 or (order == 0 and ends == [True, False])

    def last(limit):
        candidates = [each for each in given_statements if each.start and compare(each.start, limit) <= 0]
        winners = [
            each
            for each in candidates
            if all(before(rest, each) for rest in candidates if rest.value != each.value)
        ]
        return candidates, {each.value for each in winners}, winners

    if not any(each.start for each in given_statements):
        return Drop.NO_START
    at_cutoff, old_values, olds = last(cutoff)
    _, new_values, news = last(until)
    if not at_cutoff:
        return Drop.NO_OLD
    if len(old_values) != 1 or len(new_values) != 1:
        return Drop.TIE
    if old_values == new_values:
        other = [
            each
            for each in given_statements
            if each.start
            and each.value not in old_values
            and compare(each.start, cutoff) > 0 >= compare(each.start, until)
        ]
        return Drop.REVERTED if other else Drop.UNCHANGED
    if None in old_values | new_values:
        return Drop.NO_VALUE
    return olds, news


@settings(deadline=None, max_examples=400)
@given(statements)
def test_the_rule_equals_its_plain_twin(given_statements):
    found, plain = outcome(*given_statements), plain_rule(given_statements, CUTOFF, UNTIL)
    if isinstance(plain, Drop):
        assert found is plain
    elif isinstance(found, Change):
        olds, news = plain
        assert found.old in olds
        assert found.new in news
        assert compare(found.new.start, CUTOFF) > 0
        assert compare(found.new.start, found.old.end) >= 0
    else:
        assert found in {Drop.NO_END, Drop.OVERLAP}


@settings(deadline=None)
@given(statements, st.randoms())
def test_the_order_of_statements_does_not_matter(given_statements, random):
    shuffled = list(given_statements)
    random.shuffle(shuffled)
    one, other = outcome(*given_statements), outcome(*shuffled)
    if isinstance(one, Change) and isinstance(other, Change):
        assert (one.old.value, one.new.value) == (other.old.value, other.new.value)
    else:
        assert one == other


def entity(qid, label="Name", title="Title"):
    return Entity(qid, label, (), title)


@pytest.mark.parametrize(
    ("lacking", "reason"),
    [
        ({"Q1": None}, Drop.NO_LABEL),
        ({"Q2": None}, Drop.NO_LABEL),
        ({"Q3": entity("Q3", label=None)}, Drop.NO_LABEL),
        ({"Q3": entity("Q3", title=None)}, Drop.NO_PAGE),
    ],
)
def test_names_and_the_page_of_the_owner_are_needed(lacking, reason):
    change = outcome(s("Q2", "2019-05-01", "2023-03-10"), s("Q3", "2023-03-10"))
    known = {"Q1": entity("Q1", title=None), "Q2": entity("Q2", title=None), "Q3": entity("Q3")} | lacking
    assert describe_change(change, known.get) is reason


def test_only_the_owner_of_the_page_needs_one():
    """The head of government's relation is documented on the object's page."""
    change = outcome(s("Q2", "2019-05-01", "2023-03-10"), s("Q3", "2023-03-10"))
    known = {"Q1": entity("Q1", title=None), "Q2": entity("Q2", title=None), "Q3": entity("Q3")}
    fact = describe_change(change, known.get)
    assert fact.fact_id == "Q1-P6-Q3-2023-03-10"
    assert not fact.new_has_ended


def test_the_funnel_adds_up():
    funnel = Funnel()
    for reason in (None, Drop.OVERLAP, Drop.NO_OLD, Drop.NO_OLD, None):
        funnel.count(reason)
    assert (funnel.considered, funnel.kept) == (5, 2)
    assert funnel.rows() == [(Drop.NO_OLD, 2, 3), (Drop.OVERLAP, 1, 2)]
    later = Funnel()
    later.count(Drop.NO_DOCUMENT)
    later.count(None)
    both = funnel.then(later)
    assert (both.considered, both.kept) == (5, 1)


def test_every_reason_is_explained():
    assert set(EXPLANATIONS) == set(Drop)


@pytest.mark.parametrize("until", [PartialDate(2022, 12, 31), PartialDate(2021, 1, 1), PartialDate(2022)])
def test_the_window_must_be_open(until):
    with pytest.raises(UsageError, match="must be earlier than the last day"):
        check_window(CUTOFF, until)
