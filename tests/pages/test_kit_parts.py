"""The kit's parts, each in a small page of its own."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from core.jobs import JobQueue
from pages.kit import jobs
from pages.kit.favicon import favicon
from pages.kit.guess import Question, verdict
from pages.kit.registry import PAGES, find_page, page_info


def run(script, **kwargs):
    return AppTest.from_function(script, default_timeout=20, kwargs=kwargs).run()


def test_a_reader_s_fault_is_shown_as_it_is():
    def script():
        import streamlit as st

        from core.errors import DataError
        from pages.kit.guard import guard

        with guard():
            raise DataError("The file has no column 'item'. Name it.")
        st.write("after")

    at = run(script)
    assert [error.value for error in at.error] == ["The file has no column 'item'. Name it."]
    assert at.markdown[0].value == "after"
    assert not at.exception


def test_our_own_fault_is_neutral_and_logged_under_its_number(caplog):
    def script():
        import streamlit as st

        from pages.kit.guard import guarded

        @st.fragment
        @guarded
        def part():
            raise RuntimeError("secret path /somewhere")

        part()

    at = run(script)
    (error,) = at.error
    assert "secret" not in error.value
    number = re.search(r"number ([0-9a-f]{8})", error.value).group(1)
    record = next(record for record in caplog.records if number in record.getMessage())
    assert "secret path" in str(record.exc_info[1])
    assert not at.exception


def test_streamlit_s_own_signals_pass_the_guard():
    def script():
        import streamlit as st

        from pages.kit.guard import guard

        with guard():
            st.write("before")
            st.stop()
        st.write("never")

    at = run(script)
    assert [text.value for text in at.markdown] == ["before"]
    assert not at.error


def test_an_explanation_names_function_source_and_documentation():
    def script():
        import streamlit as st

        from core.jobs import jobs_at_once
        from pages.kit.explain import Explanation, explain

        st.session_state["xy_how"] = True
        explain("xy", [Explanation("Jobs are counted.", r"n \geq 1", jobs_at_once)])

    at = run(script)
    assert at.latex[0].value.strip("$\n ") == r"n \geq 1\,"
    assert any(
        "core.jobs.jobs_at_once" in text.value and "core/jobs.py" in text.value for text in at.markdown
    )
    assert "MIRAGE_MAX_JOBS" in at.code[0].value


def test_a_closed_explanation_builds_nothing():
    def script():
        from core.jobs import jobs_at_once
        from pages.kit.explain import Explanation, explain

        explain("xy", [Explanation("Jobs are counted.", "n", jobs_at_once)])

    assert not run(script).latex


@pytest.mark.parametrize(
    ("guess", "truth", "words"),
    [(0.0, -0.6, "0.6 pp too high"), (3.0, 4.06, "1.1 pp too low"), (2.0, 2.04, "you were right")],
)
def test_a_guess_is_judged_in_words(guess, truth, words):
    assert words in verdict(Question("g", "?", "pp", "The loss"), guess, truth)


def test_guessing_hides_the_answer_until_it_is_asked_for():
    def script():
        import streamlit as st

        from pages.kit.controls import Controls, Decimal
        from pages.kit.guess import Question, ask, guess_again, show_verdict
        from pages.kit.registry import PAGES

        table = Controls(PAGES[0].prefix, (Decimal("guess", "Your guess", 0.0, 10.0, 0.0),))
        question = Question("guess", "How much?", "pp", "The loss")
        if ask(PAGES[0], table, question):
            show_verdict(PAGES[0], table, question, 4.8)
            st.write("the answer")
        guess_again(PAGES[0], table, question)

    prefix = PAGES[0].prefix
    at = run(script)
    assert "the answer" not in [text.value for text in at.markdown]
    at.slider(key=f"{prefix}_guess").set_value(2.0).run()
    at.button(key=f"{prefix}_guess_given").click().run()
    assert any("2.8 pp too low" in text.value for text in at.markdown)
    at.button(key=f"{prefix}_guess_again").click().run()
    assert "the answer" not in [text.value for text in at.markdown]
    at.button(key=f"{prefix}_show_me").click().run()
    assert "the answer" in [text.value for text in at.markdown]

    skipped = AppTest.from_function(script, default_timeout=20)
    skipped.query_params["reveal"] = "1"
    skipped.run()
    assert "the answer" in [text.value for text in skipped.markdown]
    assert not any("You guessed" in text.value for text in skipped.markdown)


@pytest.fixture
def queue(monkeypatch):
    made = JobQueue()
    monkeypatch.setattr(jobs, "queue", lambda: made)
    yield made
    made.close()


def test_heavy_work_shows_progress_and_then_its_result(queue):
    def script():
        import streamlit as st

        from pages.kit.jobs import begin_run, end_run, job_result
        from tests.job_samples import count

        begin_run()
        if st.toggle("Work", value=True, key="work"):
            st.write(job_result("xy", "count", count, 5, 0.02, label="Counting"))
        end_run()

    at = run(script)
    assert at.progress[0].text.startswith("Counting")
    (owner,) = {owner for job in queue._jobs.values() for owner in job.owners}
    assert queue.wait(owner, "count", 20).state == "done"
    at.run()
    assert [text.value for text in at.markdown] == ["`5`"]


def test_a_finished_result_does_not_end_the_next_work(queue):
    def script():
        from pages.kit.jobs import begin_run, end_run, job_result
        from tests.job_samples import count, where

        begin_run()
        if job_result("xy", "first", where, label="First") is not None:
            job_result("xy", "second", count, 1000, 0.05, label="Second")
        end_run()

    at = run(script)
    (owner,) = {owner for job in queue._jobs.values() for owner in job.owners}
    assert queue.wait(owner, "first", 20).state == "done"
    for _ in range(3):
        at.run()
        assert queue.status(owner, "second").state == "running"
    assert len(queue._jobs) == 1


def test_changing_the_wish_ends_the_work(queue):
    def script():
        import streamlit as st

        from pages.kit.jobs import begin_run, end_run, job_result
        from tests.job_samples import count

        begin_run()
        if st.toggle("Work", value=True, key="work"):
            job_result("xy", "long", count, 1000, 0.05, label="Counting")
        end_run()

    at = run(script)
    assert len(queue._jobs) == 1
    at.toggle(key="work").set_value(False).run()
    assert not queue._jobs


def test_a_failed_job_can_be_run_again(queue):
    def script():
        from pages.kit.jobs import begin_run, end_run, job_result
        from tests.job_samples import die

        begin_run()
        job_result("xy", "die", die, label="Dying")
        end_run()

    at = run(script)
    (owner,) = {owner for job in queue._jobs.values() for owner in job.owners}
    assert queue.wait(owner, "die", 20).state == "failed"
    at.run()
    assert "ended from outside" in at.error[0].value
    at.button(key="xy_again").click().run()
    assert at.progress or "ended from outside" in at.error[0].value
    assert not at.exception


def test_the_registry_is_sound():
    assert PAGES[0].is_start
    assert PAGES[0].path == "/"
    for page in PAGES:
        assert page.file.is_file(), f"pages/{page.stem}.py is registered but missing"
        assert re.fullmatch(r"[a-z]{2}", page.prefix)
        assert page.icon.startswith(":material/")
        assert favicon(page.group).startswith("<svg")
    assert len({page.prefix for page in PAGES}) == len(PAGES)
    assert len({page.stem for page in PAGES}) == len(PAGES)
    assert find_page("nothing") is None
    with pytest.raises(KeyError, match="Registered: start"):
        page_info("nothing")


def test_a_name_in_a_message_is_no_markup(monkeypatch):
    from core.errors import DataError
    from pages.kit import guard

    shown = []
    monkeypatch.setattr(guard.st, "error", lambda text, icon: shown.append(text))
    guard.show_fault(DataError("Unknown task '<b>$x$*'."))
    assert shown == [r"Unknown task '&lt;b>\$x\$\*'."]
