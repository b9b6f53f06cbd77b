"""The stress test page in a real browser: an upload, the attack, the report, and nothing of a reader's data anywhere else."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import running_server
from tests.report.report_samples import CANARY_ITEM, CANARY_PROMPT, items_csv, small_benchmark

MODELS = tuple(f"canary-model-{name}-55d1" for name in ("amber", "birch", "cedar", "dune", "elm", "fern"))
OWN = "/stress_test?st_source=Your+own+file&st_trials=25&st_largest=32&st_compare=Cap+of+16"
CANARIES = (CANARY_ITEM, CANARY_PROMPT, "canary-model", "canary-file", "canary-fault")


def uploaded(page, name, content):
    page.page.locator("[data-testid=stFileUploader] input[type=file]").first.set_input_files(
        {"name": name, "mimeType": "text/csv", "buffer": content}
    )


def open_own(visit, address):
    visitor = visit(address)
    visitor.page.goto(f"{address}{OWN}")
    visitor.page.wait_for_selector("[data-testid=stFileUploader]")
    return visitor.idle(
        1_000
    )  # a run that an upload cuts short may leave fields that do not reach the address


def run_to_the_end(page):
    page.page.get_by_role("button", name="Run the stress test").click()
    page.page.wait_for_selector("text=Which models were mixed", timeout=90_000)
    page.settled()


def downloaded(page, label):
    with page.page.expect_download() as waiting:
        page.page.get_by_role("button", name=label, exact=True).first.click()
    return waiting.value.path().read_bytes()


def files_under(folder):
    return [path for path in folder.rglob("*") if path.is_file()]


def test_nothing_of_an_upload_is_anywhere_else(visit, tmp_path):
    folders = {name: tmp_path / name for name in ("cache", "tmp", "home")}
    for folder in folders.values():
        folder.mkdir()
    log = tmp_path / "server.log"
    environment = {
        "MIRAGE_CACHE_DIR": str(folders["cache"]),
        "TMPDIR": str(folders["tmp"]),
        "HOME": str(folders["home"]),
        "JOBLIB_TEMP_FOLDER": str(folders["tmp"]),
    }
    with log.open("wb") as stream, running_server(log=stream, **environment) as (address, _):
        mine = open_own(visit, address)
        uploaded(mine, "canary-file-0c.csv", b"model,item,score\ncanary-fault,q,7\n")
        mine.page.wait_for_selector("text=cannot be used yet")
        bank = small_benchmark(models=MODELS)
        uploaded(mine, "canary-file-9e.csv", items_csv(bank))
        mine.page.wait_for_selector("text=6 models, 48 items")
        run_to_the_end(mine)
        assert "Your benchmark" in mine.title
        assert not any(canary in mine.page.url for canary in CANARIES)
        archive = zipfile.ZipFile(io.BytesIO(downloaded(mine, "Report")))
        report = "\n".join(archive.read(name).decode() for name in archive.namelist())
        assert "canary-model-amber-55d1" in report  # the reader's own report names the models
        assert CANARY_ITEM not in report
        assert CANARY_PROMPT not in report
        assert not any(prompt in report for prompt in bank.prompts)
        assert json.loads(archive.read("report/report.json"))["schema_version"] == 1
        assert downloaded(mine, "Report as one page").startswith(b"<!DOCTYPE html>")
        other = open_own(visit, address)
        other.page.wait_for_selector("text=Load your item scores to begin")
        assert not any(canary in other.page.content() for canary in CANARIES)
        seen = 0
        for path in files_under(tmp_path):
            content = path.read_bytes()
            seen += 1
            for canary in (*CANARIES, *bank.prompts[:3]):
                assert canary.encode() not in content, (path, canary)
                assert canary not in str(path)
        assert seen >= 1
        assert mine.elsewhere == []
        assert mine.complaints == []
    assert not any(canary.encode() in log.read_bytes() for canary in CANARIES)


def test_a_typed_rule_goes_into_the_address(server, visit):
    page = visit(server).open("/stress_test?reveal=1")
    page.enter(
        page.page.get_by_test_id("stTextInputField"), "category+round:1", "st_rule=category%2Bround%3A1"
    )
    assert page.complaints == []


def test_a_link_carries_settings_and_rule_and_asks_for_the_data(server, visit):
    first = visit(server)
    first.page.goto(f"{server}{OWN}&st_rule=category%2Bround%3A1")
    first.page.wait_for_selector("[data-testid=stFileUploader]")
    first.idle(1_000)
    uploaded(first, "mine.csv", items_csv(small_benchmark()))
    first.page.wait_for_selector("text=6 models, 48 items")
    first.idle()
    second = visit(server)
    second.page.goto(first.page.url)
    second.page.wait_for_selector("text=never data")
    second.idle()
    expect(second.page.get_by_test_id("stTextInputField")).to_have_value("category+round:1", timeout=20_000)
    assert second.page.locator("[data-testid=stVegaLiteChart]").count() == 0


def test_markup_in_names_stays_text_and_fetches_nothing(server, visit):
    names = (
        "![x](http://127.0.0.1:9/p.png)",
        "<img src=http://127.0.0.1:9/q.png>",
        "[a](http://127.0.0.1:9)",
        "$x$ :red[y]",
    )
    mine = open_own(visit, server)
    broken = "model,item,score\n" + "".join(f'"{name}",q,7\n' for name in names)
    uploaded(mine, "![x](http:__127.0.0.1:9_f.png).csv", broken.encode())
    mine.page.wait_for_selector("text=cannot be used yet")
    text = items_csv(small_benchmark(models=(*names, "plain", "other"))).decode()
    uploaded(mine, "b.csv", text.encode())
    mine.page.wait_for_selector("text=6 models, 48 items")
    run_to_the_end(mine)
    mine.page.get_by_text("Leaderboard", exact=True).first.click()
    mine.page.wait_for_function("() => document.querySelectorAll('[data-testid=stDataFrame]').length === 2")
    mine.settled()
    assert mine.page.locator("[data-testid=stMain] img[src*='127.0.0.1:9']").count() == 0
    assert not [url for url in mine.elsewhere if ":9" in url]
    html = downloaded(mine, "Report as one page").decode()
    assert "<img" not in html
    assert mine.complaints == []


def test_the_attack_can_be_stopped_and_the_keyboard_is_enough(server, visit):
    page = visit(server)
    page.page.goto(
        f"{server}/stress_test?st_source=Simulated+HELM+Capabilities&st_trials=1%2C000&st_largest=512"
    )
    start = page.page.get_by_role("button", name="Run the stress test")
    start.wait_for()
    start.focus()
    page.page.keyboard.press("Enter")
    page.page.get_by_role("button", name="Stop").wait_for()
    page.page.wait_for_selector("text=Attacking")
    page.page.get_by_role("button", name="Stop").focus()
    page.page.keyboard.press("Enter")
    start.wait_for()
    assert page.complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_upload_fits_a_phone(server, visit, scheme):
    phone = visit(server, width=390, height=844, scheme=scheme)
    phone.page.goto(f"{server}{OWN}")
    phone.page.wait_for_selector("[data-testid=stFileUploader]")
    uploaded(phone, "a.csv", b"model,item,score\n" + b"x" * 300 + b",q,7\n")
    phone.page.wait_for_selector("text=cannot be used yet")
    overflow = phone.page.evaluate(
        "() => { const main = document.querySelector('[data-testid=stMain]');"
        " return Math.max(main.scrollWidth - main.clientWidth, document.documentElement.scrollWidth - innerWidth) }"
    )
    assert overflow <= 0
