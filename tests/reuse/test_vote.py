"""The vote on one prompt: sums, ties, crossings, and coin flips that depend on the hash alone."""

from __future__ import annotations

import hashlib
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as some

from core.reuse.vote import Vote, cast_vote, decide, random_choices, text_hash

fractions = some.fractions(min_value=-1, max_value=1, max_denominator=60)
ballots = some.lists(some.tuples(some.sampled_from([-1, 1]), fractions), min_size=1, max_size=40)


def vote_of(ballot, *, tie=True):
    return Vote("prompt", tuple(c for c, _ in ballot), tuple(w for _, w in ballot), tie)


@given(ballots)
def test_the_running_vote_ends_at_the_total(ballot):
    vote = vote_of(ballot)
    assert vote.running[0] == 0
    assert vote.running[-1] == vote.total == sum(c * w for c, w in ballot)
    assert len(vote.running) == len(ballot) + 1


@given(ballots, some.booleans())
def test_turning_every_flip_turns_the_decision_but_for_ties(ballot, tie):
    vote, turned = vote_of(ballot, tie=tie), vote_of([(-c, w) for c, w in ballot], tie=tie)
    assert turned.total == -vote.total
    if vote.is_tie:
        assert vote.choice == turned.choice == ("A" if tie else "B")
    else:
        assert {vote.choice, turned.choice} == {"A", "B"}


@given(ballots)
def test_a_prefix_is_the_vote_of_a_smaller_budget(ballot):
    vote = vote_of(ballot)
    for counted in range(len(ballot) + 1):
        assert vote.first(counted).total == vote.running[counted]


@given(ballots)
def test_crossings_are_where_the_sign_changes(ballot):
    vote = vote_of(ballot)
    signs = [(value > 0) - (value < 0) for value in vote.running]
    expected, last = [], 0
    for place, sign in enumerate(signs):
        if sign and last and sign != last:
            expected.append(place)
        last = sign or last
    assert list(vote.crossings) == expected


def test_an_exact_zero_is_left_to_the_tie_router():
    third = Fraction(1, 3)
    ballot = [(1, third), (1, third), (1, third), (-1, Fraction(1))]
    assert sum(c * float(w) for c, w in ballot) == 0
    assert vote_of(ballot, tie=True).choice == "A"
    assert vote_of(ballot, tie=False).choice == "B"
    assert decide(Fraction(1, 10**30), tie_takes_a=False) == "A"


@given(some.text(max_size=60), some.integers(0, 40))
def test_flips_are_one_bit_of_a_keyed_hash_and_nothing_else(text, candidates):
    prompt = text_hash(text)
    flips = random_choices(prompt, "seed", candidates)
    for place, flip in enumerate(flips):
        key = hashlib.sha256(f"probe|seed|{place}".encode()).digest()
        bit = hashlib.blake2b(prompt.encode(), key=key, digest_size=1).digest()[0] & 1
        assert flip == (1 if bit else -1)
    assert random_choices(prompt, "seed", candidates + 3)[:candidates] == flips


def test_a_text_s_hash_is_its_sha_256():
    assert (
        text_hash("Is an oral contract binding?")
        == hashlib.sha256(b"Is an oral contract binding?").hexdigest()
    )
    assert text_hash("é") == hashlib.sha256("é".encode()).hexdigest()


def test_the_tie_router_s_key_is_its_own():
    takes = [cast_vote(text_hash(str(n)), (), routing_seed="r", tie_seed="t").tie_takes_a for n in range(64)]
    keys = hashlib.sha256(b"tie|t").digest()
    assert takes == [
        bool(hashlib.blake2b(text_hash(str(n)).encode(), key=keys, digest_size=1).digest()[0] & 1)
        for n in range(64)
    ]
    assert 10 < sum(takes) < 54


def test_a_vote_that_cannot_be_is_refused():
    with pytest.raises(ValueError, match="2 choices and 1 weights"):
        Vote("p", (1, -1), (Fraction(1),), True)
    with pytest.raises(ValueError, match=r"\+1 or -1"):
        Vote("p", (0,), (Fraction(1),), True)
