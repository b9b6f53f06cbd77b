from __future__ import annotations

from datetime import UTC, datetime
from email.utils import format_datetime

import pytest

from core.errors import DataError, UsageError
from core.fresh.documents import Claim
from core.fresh.dump import ReadingReport
from core.fresh.entities import Entity
from core.fresh.gather import gather_facts
from core.fresh.revisions import LiveEntities, LiveRevisions
from core.fresh.times import PartialDate
from core.fresh.web import USER_AGENT, PoliteClient, retry_after
from tests.fresh.fake_wiki import FakeWiki
from tests.fresh.wikidata_json import world

SUBJECT, VALUE = Entity("Q1", "Arland", (), "Arland"), Entity("Q12", "New Head", (), "New Head")
PAGES = {
    "New Head": [
        (1, "2023-03-09T10:00:00Z", "too early"),
        (2, "2023-03-10T10:00:00Z", "the day itself"),
        (3, "2023-03-12T08:00:00Z", "first of the day"),
        (4, "2023-03-12T09:00:00Z", "second of the day"),
        (5, "2023-03-12T23:59:59Z", "'''New Head''' leads [[Arland]]."),
        (6, "2023-03-13T00:00:00Z", "another day"),
    ]
}
MAXLAG = b'{"error": {"code": "maxlag", "info": "Waiting for a database", "lag": 7}}'


@pytest.fixture
def wiki(tmp_path, monkeypatch):
    monkeypatch.setenv("MIRAGE_CACHE_DIR", str(tmp_path / "cache"))
    server = FakeWiki(world(), dict(PAGES))
    yield server
    server.close()


class Recording:
    """A client whose pauses are recorded instead of slept."""

    def __init__(self, **settings):
        self.pauses: list[float] = []
        self.client = PoliteClient(**({"interval": 0.0, "sleep": self.pauses.append} | settings))


@pytest.fixture
def polite():
    made = Recording()
    with made.client:
        yield made


DAY = PartialDate(2023, 3, 10)


def claim(since=DAY):
    return Claim(SUBJECT, "P6", VALUE, since)


def ask(polite, wiki):
    return polite.client.get(wiki.url, {"action": "wbgetentities", "ids": "Q11"})


def test_the_day_rule_over_several_continuations(wiki, polite):
    document = LiveRevisions(polite.client, address=wiki.url).find(claim())
    assert (document.revision_id, document.timestamp) == (5, "2023-03-12T23:59:59Z")
    assert document.text == "New Head leads Arland."
    assert [query.get("rvcontinue") for query in wiki.seen] == [None, "2", None]
    assert wiki.seen[0]["rvstart"] == "2023-03-11T00:00:00Z"
    assert all(query["maxlag"] == "5" for query in wiki.seen)
    assert wiki.agents == {USER_AGENT}


@pytest.mark.parametrize(
    ("since", "start"),
    [
        (PartialDate(2023, 3, 31), "2023-04-01"),
        (PartialDate(2023, 12), "2024-01-01"),
        (PartialDate(2022), "2023-01-01"),
        (PartialDate(-44), "2001-01-01"),
    ],
)
def test_the_first_day_asked_for_is_strictly_later_at_the_precision_of_the_start(wiki, polite, since, start):
    LiveRevisions(polite.client, address=wiki.url).find(claim(since))
    assert wiki.seen[0]["rvstart"] == f"{start}T00:00:00Z"


def test_a_start_beyond_the_calendar_is_not_asked_for(wiki, polite):
    assert LiveRevisions(polite.client, address=wiki.url).find(claim(PartialDate(12024))) is None
    assert wiki.seen == []


def test_a_missing_page_and_a_page_without_later_revisions(wiki, polite):
    source = LiveRevisions(polite.client, address=wiki.url)
    assert source.find(claim(PartialDate(2024, 1, 1))) is None
    wiki.pages.clear()
    assert source.find(claim(PartialDate(2023, 5, 1))) is None
    assert source.find(Claim(SUBJECT, "P6", Entity("Q9", "No page"), PartialDate(2023))) is None


def test_a_hidden_text_gives_the_revision_before_it(wiki, polite):
    wiki.pages["New Head"] = [(3, "2023-03-12T08:00:00Z", "shown"), (4, "2023-03-12T09:00:00Z", None)]
    assert LiveRevisions(polite.client, address=wiki.url).find(claim()).revision_id == 3
    wiki.pages["New Head"] = [(4, "2023-03-12T09:00:00Z", None)]
    assert LiveRevisions(PoliteClient(interval=0, use_cache=False), address=wiki.url).find(claim()) is None


def test_a_page_that_has_moved(wiki, polite):
    wiki.redirects["New Head"] = "New Head (politician)"
    wiki.pages["New Head (politician)"] = wiki.pages.pop("New Head")
    assert LiveRevisions(polite.client, address=wiki.url).find(claim()).title == "New Head (politician)"


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_a_busy_server_is_asked_again_after_growing_pauses(wiki, polite, status):
    wiki.troubles = [(status, {}, b"")] * 3
    assert "Q11" in ask(polite, wiki)["entities"]
    assert polite.pauses == [1.0, 2.0, 4.0]


@pytest.mark.parametrize("trouble", [(429, b""), (503, b""), (200, MAXLAG)])
def test_the_pause_that_a_server_asks_for_is_kept(wiki, polite, trouble):
    wiki.troubles = [(trouble[0], {"Retry-After": "7"}, trouble[1])]
    ask(polite, wiki)
    assert polite.pauses == [7.0]


def test_a_very_long_pause_is_cut(wiki, polite):
    wiki.troubles = [(503, {"Retry-After": "86400"}, b"")]
    ask(polite, wiki)
    assert polite.pauses == [120.0]


def test_maxlag_without_a_pause(wiki, polite):
    wiki.troubles = [(200, {}, MAXLAG)]
    ask(polite, wiki)
    assert polite.pauses == [1.0]


@pytest.mark.parametrize("body", [b'{"entities": {"Q11": {"id"', b"", b"<html>busy</html>"])
def test_truncated_json_is_fetched_again_and_never_kept(wiki, polite, body):
    wiki.troubles = [(200, {}, body)]
    assert "Q11" in ask(polite, wiki)["entities"]
    assert ask(polite, wiki)["success"] == 1
    assert len(wiki.seen) == 2
    assert polite.client.cached == 1


def test_giving_up_says_what_happened_and_what_to_do(wiki, polite):
    wiki.troubles = [(503, {}, b"")] * 5
    with pytest.raises(
        DataError,
        match=r"127\.0\.0\.1:\d+ gave no usable answer in 5 attempts; the last one: status 503.*sample",
    ):
        ask(polite, wiki)
    assert len(polite.pauses) == 4


def test_no_connection_is_a_sentence(wiki, polite):
    url = wiki.url
    wiki.close()
    with pytest.raises(DataError, match="no connection"):
        polite.client.get(url, {"action": "query"})
    wiki.server.server_close = lambda: None
    wiki.server.shutdown = lambda: None


def test_a_refusal_is_not_repeated(wiki, polite):
    wiki.troubles = [(404, {}, b"")]
    with pytest.raises(DataError, match="refused with status 404"):
        ask(polite, wiki)
    wiki.troubles = [(200, {}, b'{"error": {"code": "no-such-entity", "info": "Could not find"}}')]
    with pytest.raises(DataError, match="no-such-entity"):
        ask(polite, wiki)
    wiki.troubles = [(200, {}, b"[]")]
    with pytest.raises(DataError, match="no object"):
        ask(polite, wiki)
    assert polite.pauses == []


def test_redirects_are_followed_but_not_in_a_circle(wiki, polite):
    wiki.troubles = [(302, {"Location": f"{wiki.url}?action=wbgetentities&ids=Q12"}, b"")]
    assert list(ask(polite, wiki)["entities"]) == ["Q12"]
    wiki.troubles = [(302, {"Location": wiki.url}, b"")] * 10
    with pytest.raises(DataError, match="redirects in a circle"):
        polite.client.get(wiki.url, {"action": "query"})


def test_answers_are_kept_on_disk_for_the_next_client(wiki, polite):
    first = ask(polite, wiki)
    other = Recording()
    assert ask(other, wiki) == first
    assert (other.client.cached, other.client.requests, len(wiki.seen)) == (1, 0, 1)
    fresh = Recording(use_cache=False)
    ask(fresh, wiki)
    assert len(wiki.seen) == 2


def test_a_damaged_answer_on_disk_is_fetched_again(wiki, polite, tmp_path):
    ask(polite, wiki)
    for kept in (tmp_path / "cache").rglob("*"):
        if kept.is_file():
            kept.write_bytes(kept.read_bytes()[:-5])
    ask(polite, wiki)
    assert len(wiki.seen) == 2


def test_requests_keep_their_distance(wiki):
    now, pauses = [100.0], []

    def sleep(seconds):
        pauses.append(seconds)
        now[0] += seconds

    with PoliteClient(interval=1.0, sleep=sleep, clock=lambda: now[0]) as client:
        for qid in ("Q11", "Q12", "Q13"):
            client.get(wiki.url, {"action": "wbgetentities", "ids": qid})
            now[0] += 0.25
    assert pauses == [0.75, 0.75]


def test_a_pause_may_be_a_date():
    now = datetime(2024, 1, 1, 12, tzinfo=UTC)
    assert retry_after(format_datetime(datetime(2024, 1, 1, 12, 0, 30, tzinfo=UTC), usegmt=True), now) == 30
    assert retry_after(format_datetime(datetime(2023, 1, 1, tzinfo=UTC), usegmt=True), now) == 0


def test_live_entities_become_facts_and_chains(wiki, polite):
    source = LiveEntities(polite.client, ("Q1", "q2"), address=wiki.url)
    facts = list(gather_facts(source, PartialDate(2022, 12, 31), PartialDate(2024, 12, 31), hops=3))
    assert [fact.new.entity.label for fact in facts] == ["New Head", "New Team"]
    assert [[hop.value.entity.label for hop in chain] for chain in facts[0].chains] == [
        ["Spouse One"],
        ["Spouse One", "Norland"],
    ]


def test_entities_are_asked_for_in_groups_of_fifty(wiki, polite):
    source = LiveEntities(polite.client, ("Q1",), address=wiki.url)
    report = ReadingReport()
    assert list(source.read(range(100, 221), report)) == []
    assert [len(query["ids"].split("|")) for query in wiki.seen] == [50, 50, 21]
    assert report.missing == 121


def test_an_id_that_was_merged_away_keeps_its_name(wiki, polite):
    wiki.merged["Q12"] = "Q13"
    (found,) = LiveEntities(polite.client, ("Q1",), address=wiki.url).read([12], ReadingReport())
    assert found["id"] == "Q12"
    assert found["labels"]["en"]["value"] == "Spouse One"


@pytest.mark.parametrize("ids", [(), ("Arland",), ("Q1", "P6")])
def test_ids_are_checked_before_anything_is_asked(ids):
    with pytest.raises(UsageError, match="Expected ids such as Q38"):
        LiveEntities(PoliteClient(), ids)
