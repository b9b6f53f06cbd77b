"""Gates: three ways to the same bits, and a cache that may be damaged, missing, full or shared."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st

from core.reuse import gates as module
from core.reuse.gates import candidate_key, gates, plain_digest_bits, takes_a, tie_key

PROMPTS = tuple(hashlib.sha256(str(index).encode()).hexdigest() for index in range(40))
SEED, TIE = "bank", "ties"


def by_definition(prompts, candidates, seed=SEED):
    """+1 or -1 per prompt and candidate, from the standard library and the definition alone."""
    signs = []
    for prompt in prompts:
        row = []
        for candidate in range(candidates):
            key = hashlib.sha256(b"probe|" + f"{seed}|{candidate}".encode()).digest()
            digest = hashlib.blake2b(prompt.encode("utf-8"), key=key, digest_size=1).digest()
            row.append(1 if digest[0] % 2 else -1)
        signs.append(row)
    return np.array(signs).reshape(len(prompts), candidates)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("MIRAGE_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def no_hashing(monkeypatch):
    """Call it to make any further digest an error."""

    def forbid():
        def fail(prompts, keys):
            raise AssertionError("Expected the stored gates to do.")

        monkeypatch.setattr(module, "digest_bits", fail)

    return forbid


@pytest.mark.parametrize("candidates", [0, 1, 7, 8, 9, 31])
def test_gates_follow_the_definition(candidates):
    found = gates(PROMPTS, SEED, TIE, candidates, cache=False)
    assert np.array_equal(found.signs(slice(None)), by_definition(PROMPTS, candidates))
    key = hashlib.sha256(f"tie|{TIE}".encode()).digest()
    ties = [hashlib.blake2b(prompt.encode(), key=key, digest_size=1).digest()[0] & 1 for prompt in PROMPTS]
    assert found.tie.tolist() == [bool(tie) for tie in ties]


def test_one_choice_at_a_time_agrees():
    signs = by_definition(PROMPTS[:5], 6)
    for place, prompt in enumerate(PROMPTS[:5]):
        for candidate in range(6):
            assert takes_a(prompt, candidate_key(SEED, candidate)) == (signs[place, candidate] > 0)
    assert tie_key(TIE) != candidate_key(TIE, 0)


def test_rows_may_be_picked_and_typed():
    found = gates(PROMPTS, SEED, TIE, 10, cache=False)
    rows = np.array([3, 0, 3])
    picked = found.signs(rows, np.float32)
    assert picked.dtype == np.float32
    assert np.array_equal(picked, by_definition(PROMPTS, 10)[rows])


@profile(deadline=None, derandomize=True, database=None, max_examples=30)
@given(
    prompts=st.lists(st.text(min_size=1, max_size=30), min_size=1, max_size=6, unique=True),
    keys=st.lists(st.binary(min_size=32, max_size=32), min_size=1, max_size=70),
)
def test_the_compiled_kernel_and_its_plain_twin_agree_with_hashlib(prompts, keys):
    blake = pytest.importorskip("core.reuse.blake", reason="the kernel needs Numba")
    encoded = [prompt.encode() for prompt in prompts]
    expected = [
        [hashlib.blake2b(prompt, key=key, digest_size=1).digest()[0] & 1 for key in keys]
        for prompt in encoded
    ]
    assert blake.digest_bits(encoded, keys).tolist() == expected
    assert plain_digest_bits(encoded, keys).tolist() == expected


def test_prompts_of_exactly_one_block_and_many_keys():
    blake = pytest.importorskip("core.reuse.blake", reason="the kernel needs Numba")
    encoded = [b"x" * 128, b"y", b"z" * 127]
    keys = [candidate_key("many", index) for index in range(1100)]  # more than one strip and one thread
    assert np.array_equal(blake.digest_bits(encoded, keys), plain_digest_bits(encoded, keys))


@pytest.mark.parametrize("long_prompt", [False, True])
def test_large_requests_take_the_same_bits_however_they_are_hashed(monkeypatch, long_prompt):
    monkeypatch.setattr(module, "KERNEL_FROM", 1)
    prompts = (
        [*PROMPTS, "long " * 40] if long_prompt else list(PROMPTS)
    )  # the kernel leaves long prompts alone
    assert np.array_equal(
        gates(prompts, SEED, TIE, 12, cache=False).signs(slice(None)), by_definition(prompts, 12)
    )


def test_without_the_kernel_processes_share_the_work(monkeypatch):
    monkeypatch.setenv("MIRAGE_NO_NUMBA", "1")
    monkeypatch.setattr(module, "PROCESSES_FROM", 1)
    assert np.array_equal(
        gates(PROMPTS, SEED, TIE, 12, cache=False).signs(slice(None)), by_definition(PROMPTS, 12)
    )


def test_a_longer_stored_set_serves_a_shorter_request(folder, no_hashing):
    gates(PROMPTS, SEED, TIE, 100)
    no_hashing()
    for candidates in (100, 37, 1, 0):
        found = gates(PROMPTS, SEED, TIE, candidates)
        assert found.candidates == candidates
        assert np.array_equal(found.signs(slice(None)), by_definition(PROMPTS, candidates))


def test_a_shorter_stored_set_grows(folder, no_hashing):
    gates(PROMPTS, SEED, TIE, 20)
    assert np.array_equal(gates(PROMPTS, SEED, TIE, 50).signs(slice(None)), by_definition(PROMPTS, 50))
    no_hashing()
    assert np.array_equal(gates(PROMPTS, SEED, TIE, 50).signs(slice(None)), by_definition(PROMPTS, 50))


def test_other_seeds_and_other_prompts_have_entries_of_their_own(folder):
    gates(PROMPTS, SEED, TIE, 9)
    assert np.array_equal(gates(PROMPTS, "b", TIE, 9).signs(slice(None)), by_definition(PROMPTS, 9, seed="b"))
    other = PROMPTS[::-1]
    assert np.array_equal(gates(other, SEED, TIE, 9).signs(slice(None)), by_definition(other, 9))
    assert len(list((folder / "gates").iterdir())) == 3


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[:-1],
        lambda content: content[:20],
        lambda content: content[:-1] + bytes([content[-1] ^ 1]),
        lambda content: b"other" + content[5:],
    ],
)
def test_a_damaged_entry_is_computed_again(folder, damage):
    expected = gates(PROMPTS, SEED, TIE, 30)
    (entry,) = (folder / "gates").iterdir()
    whole = entry.read_bytes()
    entry.write_bytes(damage(whole))
    assert np.array_equal(gates(PROMPTS, SEED, TIE, 30).packed, expected.packed)
    assert entry.read_bytes() == whole


def test_a_folder_that_cannot_be_written_only_costs_time(tmp_path, monkeypatch):
    blocked = tmp_path / "a file"
    blocked.write_text("in the way", encoding="utf-8")
    monkeypatch.setenv("MIRAGE_CACHE_DIR", str(blocked / "cache"))
    assert np.array_equal(gates(PROMPTS, SEED, TIE, 9).signs(slice(None)), by_definition(PROMPTS, 9))
    assert blocked.read_text(encoding="utf-8") == "in the way"


def test_nothing_of_an_upload_is_stored(folder):
    gates(PROMPTS, SEED, TIE, 9, cache=False)
    assert not folder.exists()


def test_two_processes_may_write_at_once(folder):
    program = (
        "import hashlib, sys\n"
        "from core.reuse.gates import gates\n"
        "prompts = tuple(hashlib.sha256(str(index).encode()).hexdigest() for index in range(40))\n"
        "for candidates in range(8, 400, 8):\n"
        "    found = gates(prompts, 'bank', 'ties', candidates)\n"
        "sys.stdout.write(hashlib.sha256(found.packed.tobytes()).hexdigest())\n"
    )
    root = Path(__file__).parents[2]
    running = [
        subprocess.Popen([sys.executable, "-c", program], cwd=root, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    answers = [process.communicate(timeout=120)[0] for process in running]
    expected = gates(PROMPTS, SEED, TIE, 392, cache=False).packed
    assert answers == [hashlib.sha256(expected.tobytes()).hexdigest()] * 2
    assert [process.returncode for process in running] == [0, 0]
    assert len(list((folder / "gates").iterdir())) == 1  # no temporary file is left behind
    assert np.array_equal(gates(PROMPTS, SEED, TIE, 392).packed, expected)


def test_a_kernel_that_cannot_be_kept_any_more_gives_way(monkeypatch, caplog):
    blake = pytest.importorskip("core.reuse.blake", reason="the kernel needs Numba")

    def full(prompts, keys):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "KERNEL_FROM", 1)
    monkeypatch.setattr(blake, "KEPT", True)
    monkeypatch.setattr(blake, "digest_bits", full)
    found = gates(PROMPTS, SEED, TIE, 12, cache=False)
    assert np.array_equal(found.signs(slice(None)), by_definition(PROMPTS, 12))
    assert "No space left" in caplog.text
