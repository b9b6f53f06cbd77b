"""The command line's frame: exit statuses, messages on stderr, tables, and start-up without heavy imports."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from core import __main__ as command_line
from core import __version__
from core.benchmark.reading import check_benchmark
from core.command_line import DATA_AT_FAULT, INTERRUPTED, WRONG_USAGE, print_table, run
from core.errors import DataError, UsageError

ROOT = Path(__file__).resolve().parent.parent
INCOMPLETE = "model,item,score\na,q,1\na,r,1\nb,q,0\nb,r,0\n[red]c[/red],q,1\n"


def call(*arguments: str) -> int:
    return command_line.main(list(arguments))


@pytest.fixture
def items(tmp_path):
    def write(text: str) -> str:
        path = tmp_path / "items.csv"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def test_version(capsys):
    assert call("--version") == 0
    assert capsys.readouterr().out == f"Mirage {__version__}\n"


def test_every_command_has_help_with_an_example(capsys):
    assert call("--help") == 0
    assert "Example: python -m core" in capsys.readouterr().out
    commands = [command.name for command in command_line.build().registered_commands]
    assert {"list", "check"} <= set(commands)
    for command in commands:
        assert call(command, "--help") == 0
        assert f"Example: python -m core {command}" in capsys.readouterr().out


def test_no_arguments_show_the_help(capsys):
    assert call() == WRONG_USAGE
    assert "Usage: python -m core" in capsys.readouterr().out


def test_list(capsys):
    assert call("list") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:5] == ["name", "kind", "models", "items", "tasks"]
    assert lines[1].split()[:5] == ["terminal_science", "bundled", "17", "70", "5"]
    assert lines[2].split()[:5] == ["swe_verified_38", "bundled", "38", "500", "10"]
    assert call("list", "--quiet") == 0
    assert capsys.readouterr().out.split() == [
        "terminal_science",
        "swe_verified_38",
        "simulated:livebench",
        "simulated:helm_capabilities",
        "simulated:free",
    ]


def test_check_says_what_was_read(capsys):
    assert call("check", "terminal_science") == 0
    output = capsys.readouterr()
    assert output.err == ""
    lines = [" ".join(line.split()) for line in output.out.splitlines()]
    for line in (
        "Terminal-Bench-Science: no faults found.",
        "models 17",
        "items 70",
        "prompts 70 (no two items share one)",
        "tasks 5",
        "categories 5",
        "split 24 items reused, 46 held out (0.6667 of each task held out)",
        "precision exact counts out of 3 runs",
    ):
        assert line in lines


def test_check_counts_shared_prompts(capsys, items):
    path = items("model,item,score,prompt\na,q,1,p\nb,q,0,p\na,r,1,p\nb,r,0,p\na,s,1,o\nb,s,1,o\n")
    assert call("check", path) == 0
    assert "prompts     2 (2 items share 1 of them)" in capsys.readouterr().out


def test_check_quiet(capsys, items):
    assert call("check", "terminal_science", "--quiet") == 0
    assert capsys.readouterr().out == ""
    assert call("check", items("model,item\na,q\n"), "--quiet") == DATA_AT_FAULT
    assert "Missing column 'score'" in capsys.readouterr().err


def test_faults_go_to_stderr_as_they_are(capsys, items):
    assert call("check", items(INCOMPLETE)) == DATA_AT_FAULT
    output = capsys.readouterr()
    assert output.out == ""
    assert "1 model of 3 without all 2 items: '[red]c[/red]' lacks 1." in output.err


def test_repair_option(capsys, items):
    assert call("check", items(INCOMPLETE), "--incomplete", "drop_models") == 0
    assert "Note: Dropped 1 model to complete the matrix: '[red]c[/red]'." in capsys.readouterr().out
    assert call("check", items(INCOMPLETE), "--incomplete", "drop_item") == WRONG_USAGE
    assert "valid: stop, drop_models, drop_items" in capsys.readouterr().err


def test_settings_option(capsys, items, tmp_path):
    settings = tmp_path / "s.toml"
    settings.write_text('name = "[bold]Mine"\nrepeats = 2\n', encoding="utf-8")
    path = items("model,item,score\na,p,0.5\na,q,0.5\nb,p,0\nb,q,1\n")
    assert call("check", path, "--settings", str(settings)) == 0
    assert "[bold]Mine: no faults found." in capsys.readouterr().out
    settings.write_text("rankin = 2\n", encoding="utf-8")
    assert call("check", path, "--settings", str(settings)) == DATA_AT_FAULT
    assert capsys.readouterr().err.startswith("s.toml: Unknown setting 'rankin'. Did you mean 'ranking'?")


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["check", "terminal_scence"], WRONG_USAGE, "Did you mean 'terminal_science'?"),
        (["check", "nothing.csv"], DATA_AT_FAULT, "No file or folder 'nothing.csv'."),
        (["check", "simulated:unheard"], WRONG_USAGE, "Unknown simulated benchmark 'unheard'."),
        (["chek"], WRONG_USAGE, "No such command 'chek'."),
        (["check"], WRONG_USAGE, "Missing argument 'BENCH'. See: python -m core check --help"),
        (["check", "a", "b"], WRONG_USAGE, "unexpected extra argument"),
        (["check", "a", "--nope"], WRONG_USAGE, "No such option: --nope"),
        (["check", "a", "--settings"], WRONG_USAGE, "--settings"),
    ],
)
def test_wrong_usage_is_one_sentence(capsys, arguments, status, message):
    assert call(*arguments) == status
    output = capsys.readouterr()
    assert output.out == ""
    assert message in output.err
    assert len(output.err.splitlines()) == 1


def raising(error):
    def call_it():
        raise error

    return call_it


@pytest.mark.parametrize(
    ("error", "status", "message"),
    [
        (DataError("The data."), DATA_AT_FAULT, "The data."),
        (UsageError("The wish."), WRONG_USAGE, "The wish."),
        (KeyboardInterrupt(), INTERRUPTED, "Stopped."),
        (typer.Abort(), INTERRUPTED, "Stopped."),
        (
            MemoryError(),
            DATA_AT_FAULT,
            "There is not enough memory for this; use fewer models, items or trials.",
        ),
        (
            ValueError("odd\nthing"),
            DATA_AT_FAULT,
            (
                "Unexpected fault, ValueError: odd thing. This is a mistake in Mirage; please report it with the command "
                "that was run."
            ),
        ),
        (
            KeyError(),
            DATA_AT_FAULT,
            (
                "Unexpected fault, KeyError: no details. This is a mistake in Mirage; please report it with the command "
                "that was run."
            ),
        ),
    ],
)
def test_every_exception_becomes_a_line(capsys, error, status, message):
    assert run(raising(error)) == status
    assert capsys.readouterr().err == f"{message}\n"


def test_status_of_a_command_is_passed_on():
    assert run(lambda: 3) == 3
    assert run(lambda: None) == 0


def test_plain_table_is_aligned_and_literal(capsys):
    print_table(("name", "n"), [("[red]x", "1"), ("\N{CJK UNIFIED IDEOGRAPH-4E2D}", "10")], right=("n",))
    assert capsys.readouterr().out == "name     n\n[red]x   1\n\N{CJK UNIFIED IDEOGRAPH-4E2D}      10\n"


def test_framed_table_is_literal(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    print_table(("name", "[n]"), [("[red]x[/red]", "1")])
    output = capsys.readouterr().out
    assert "[red]x[/red]" in output
    assert "[n]" in output


def process(*arguments: str, **options) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=120,
        check=False,
        **options,
    )


def test_as_a_process():
    done = process("-m", "core", "check", "swe_verified_38", "--quiet")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    wrong = process("-m", "core", "check", "nothing.csv")
    assert wrong.returncode == 1
    assert "Traceback" not in wrong.stderr


def test_terminal_that_lacks_the_characters(items):
    path = items("model,item,score\n\N{SNOWMAN},p,1\n\N{SNOWMAN},q,1\nb,p,0\nb,q,0\n")
    done = process("-m", "core", "check", path, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    assert "\\u2603" in done.stdout


def test_interrupt_ends_with_a_short_line(tmp_path):
    script = (
        "import signal, sys, time\nfrom core.command_line import run\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background may have switched it off\n"
        "def call():\n    print('ready', flush=True)\n    time.sleep(60)\n"
        "sys.exit(run(call))\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
    ) as running:
        assert running.stdout.readline() == "ready\n"
        running.send_signal(signal.SIGINT)
        _, complaint = running.communicate(timeout=30)
    assert running.returncode == INTERRUPTED
    assert complaint == "Stopped.\n"


def test_interrupt_inside_a_command_ends_with_the_same_line(monkeypatch, capsys):
    def interrupted(*_arguments, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr("core.benchmark.catalogue.load_with_notes", interrupted)
    assert call("check", "terminal_science") == INTERRUPTED
    assert capsys.readouterr().err == "Stopped.\n"


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs a device without end")
def test_devices_without_end_are_refused(items, capsys):
    path = items("model,item,score\na,q,1\nb,q,0\n")
    assert call("check", path, "--settings", "/dev/zero") == DATA_AT_FAULT
    assert "at most 1 MB" in capsys.readouterr().err
    assert call("study", path, "--feedback", "groups:/dev/zero") == DATA_AT_FAULT
    assert "at most 1 MB" in capsys.readouterr().err


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file that opens and cannot be read")
def test_file_that_opens_and_cannot_be_read(items, capsys):
    path = items("model,item,score\na,q,1\nb,q,0\n")
    assert call("check", "/proc/self/mem") == DATA_AT_FAULT
    assert capsys.readouterr().err.startswith("mem cannot be read: ")
    assert call("check", path, "--settings", "/proc/self/mem") == DATA_AT_FAULT
    assert capsys.readouterr().err.startswith("mem cannot be read: ")


def test_closed_pipe_is_silent():
    done = subprocess.run(
        f"{sys.executable} -c 'import sys; from core.command_line import run, say; "
        f"sys.exit(run(lambda: [say(str(n)) for n in range(200000)] and None))' | head -1",
        shell=True, capture_output=True, text=True, cwd=ROOT, timeout=120, check=False,
    )  # fmt: skip
    assert done.stdout == "0\n"
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("statement", "absent"),
    [
        ("import core.__main__; core.__main__.build()", ["numpy", "pyarrow", "pandas", "rich"]),
        (
            "from core.benchmark import catalogue; catalogue.load('terminal_science')",
            ["pandas", "scipy", "altair"],
        ),
    ],
)
def test_start_up_stays_light(statement, absent):
    done = process(
        "-c", f"import sys; {statement}; print(*[name for name in {absent} if name in sys.modules])"
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "\n"


def test_check_says_that_no_split_fits(items, capsys):
    rows = "\n".join(
        f"{model},{task},{score},{task}" for task in "pqr" for model, score in (("a", 1), ("b", 0))
    )
    path = items(f"model,item,score,task\n{rows}\n")
    assert call("check", path) == DATA_AT_FAULT
    checked = capsys.readouterr()
    assert checked.out == ""
    assert (
        "items reads well, but cannot be studied: Task 'p' has 1 item and is left without a reused one"
        in checked.err
    )
    assert "and so are 2 more tasks" in checked.err
    assert call("study", path) == DATA_AT_FAULT
    assert capsys.readouterr().err.strip() in checked.err
    report, benchmark = check_benchmark(path)
    assert benchmark is not None
    assert report.notes[0].startswith("It cannot be studied under these settings: Task 'p'")


@pytest.mark.parametrize("command", [("study",), ("compare", "--rules", "task")])
def test_the_items_are_never_overwritten(items, capsys, command):
    path = items("model,item,score\na,q,1\n")
    assert call(command[0], path, *command[1:], "--out", path, "--force") == DATA_AT_FAULT
    assert "is what is read" in capsys.readouterr().err
    assert Path(path).read_text(encoding="utf-8").startswith("model,item,score")


def test_check_reads_the_settings_feedback_rule(items, tmp_path, capsys):
    rows = "".join(f"{model},q{item},{item % 2}\n" for model in "ab" for item in range(9))
    settings = tmp_path / "settings.toml"
    settings.write_text('feedback = "category+roud:1"\n', encoding="utf-8")
    status = call("check", items(f"model,item,score\n{rows}"), "--settings", str(settings))
    assert status == WRONG_USAGE
    assert "Unknown part '+roud:1'" in capsys.readouterr().err


def test_refused_report_leaves_no_folder(items, tmp_path, capsys):
    assert (
        call("report", items("model,item,score\na,q,1\n"), "--out", str(tmp_path / "report")) == DATA_AT_FAULT
    )
    assert "at least two models" in capsys.readouterr().err
    assert not (tmp_path / "report").exists()
