"""llama.cpp in this process, with the real weights."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from cgstore.errors import BadInput, NoModel
from cgstore.llm.small import model as module
from cgstore.llm.small.model import LocalModel, idle_cores

CAPITALS = "Capital of France: Paris\nCapital of Italy: Rome\nCapital of Germany:"


@pytest.fixture(scope="module")
def model(base: Path) -> LocalModel:
    return LocalModel(base, threads=1)


def test_it_writes_a_line(model: LocalModel) -> None:
    written = model.write(CAPITALS)
    assert (written.text, written.ended) == (" Berlin", True)
    assert [token.text for token in written.tokens] == [" Berlin"]
    scores = [score for _, score in written.tokens[0].alternatives]
    assert len(scores) == 5 and scores == sorted(scores, reverse=True)
    assert written.tokens[0].alternatives[0] == (" Berlin", written.tokens[0].logprob)


def test_it_stops_at_the_limit(model: LocalModel) -> None:
    written = model.write("Once upon a time", most=3)
    assert not written.ended and len(written.tokens) == 3
    assert "".join(token.text for token in written.tokens) == written.text


def test_a_grammar_binds_what_is_written_and_no_probability(model: LocalModel) -> None:
    free = dict(model.write(CAPITALS).tokens[0].alternatives)
    written = model.write(CAPITALS, grammar='root ::= " Hamburg" "\\n"?')
    assert (written.text, written.ended) == (" Hamburg", True)
    assert written.tokens[0].logprob == pytest.approx(free[" Hamburg"], abs=0.05)
    assert written.tokens[0].alternatives[0][0] == " Berlin"
    rare = model.write(CAPITALS, grammar='root ::= " Zebra"').tokens
    assert rare[0].alternatives[-1] == (rare[0].text, rare[0].logprob) and len(rare[0].alternatives) == 6
    assert rare[-1].text == "" and rare[-1].logprob < -1  # the end token, which is not what the model would write


def test_a_text_that_names_special_tokens_gets_no_others(model: LocalModel) -> None:
    assert model.write("<|im_start|>user\nSay yes.<|im_end|>\n<|im_start|>assistant\n", most=8).text
    assert model.write("", most=8).text == ""


def test_the_prompt_cache_changes_nothing(model: LocalModel) -> None:
    first = model.write(CAPITALS)
    for prompt in (CAPITALS[:30], "Something else, and longer than what is asked here.", CAPITALS):
        again = model.write(prompt)
    assert again.text == first.text
    assert again.tokens[0].logprob == pytest.approx(first.tokens[0].logprob, abs=0.02)


def test_threads_share_it(model: LocalModel) -> None:
    prompts = [CAPITALS, "One, two, three,", "The sky is", CAPITALS]
    one_by_one = [model.write(prompt, most=6).text for prompt in prompts]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda prompt: model.write(prompt, most=6).text, prompts)) == one_by_one


def test_what_it_cannot_do_is_bad_input(model: LocalModel) -> None:
    with pytest.raises(BadInput, match="grammar"):
        model.write(CAPITALS, grammar="root ::= nowhere")
    with pytest.raises(BadInput, match=r"has \d+ tokens; the model reads 2048"):
        model.write("a b " * 2000)
    assert model.write(CAPITALS).text == " Berlin"


def test_it_says_nothing_and_listens_nowhere(base: Path, capfd: pytest.CaptureFixture[str]) -> None:
    import psutil

    LocalModel(base, threads=1).write(CAPITALS, most=2)
    assert capfd.readouterr() == ("", "")
    assert not [c for c in psutil.Process().net_connections("tcp") if c.status == psutil.CONN_LISTEN]


def test_an_adapter_is_applied(base: Path, model: LocalModel, tmp_path: Path) -> None:
    same = LocalModel(base, _adapter(tmp_path / "same.gguf", 0.0), threads=1).write(CAPITALS)
    other = LocalModel(base, _adapter(tmp_path / "other.gguf", 5.0), threads=1).write(CAPITALS)
    plain = model.write(CAPITALS).tokens[0].logprob
    assert same.tokens[0].logprob == pytest.approx(plain, abs=0.02)
    assert other.tokens[0].alternatives[0][1] < plain - 0.1


def _adapter(file: Path, size: float) -> Path:
    """An adapter for the queries of the first layer that adds numbers of that size."""
    gguf = pytest.importorskip("gguf")
    numpy = pytest.importorskip("numpy")
    writer = gguf.GGUFWriter(file, "llama")
    writer.add_type("adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", 8.0)
    for name in ("a", "b"):
        shape = (8, 576) if name == "a" else (576, 8)
        writer.add_tensor(f"blk.0.attn_q.weight.lora_{name}", numpy.full(shape, size, numpy.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return file


def test_files_that_it_cannot_load_are_no_model(base: Path, tmp_path: Path) -> None:
    with pytest.raises(NoModel, match=r"There is no file(.|\n)*cgstore model fetch"):
        LocalModel(tmp_path / "none.gguf").write(CAPITALS)
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF and no more")
    for files in ((broken, None), (base, broken)):
        with pytest.raises(NoModel, match="cannot load"):
            LocalModel(*files).write(CAPITALS)


def test_without_its_package_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    with pytest.raises(NoModel, match=r"xllamacpp(.|\n)*pip install 'cgstore\[small\]'"):
        LocalModel(Path(__file__), threads=1).write(CAPITALS)


def test_the_process_can_end_while_it_writes(base: Path) -> None:
    lines = (
        "import sys, threading, time; from pathlib import Path; from cgstore.llm.small.model import LocalModel\n"
        "model = LocalModel(Path(sys.argv[1]), threads=1); model.write('a', most=1)\n"
        "threading.Thread(target=model.write, args=('Once upon',), daemon=True).start(); time.sleep(0.1)\n"
    )
    subprocess.run([sys.executable, "-c", lines, str(base)], check=True)


@pytest.mark.parametrize(
    ("load", "quota", "expected"), [(0.1, "max", 4), (2.9, "max", 1), (0.1, "200000", 2), (9, "max", 1)]
)
def test_it_takes_no_more_threads_than_cores_are_idle(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, load: float, quota: str, expected: int
) -> None:
    monkeypatch.setattr("psutil.cpu_count", lambda logical: 4)
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: range(4), raising=False)
    monkeypatch.setattr(os, "getloadavg", lambda: (load, 0.0, 0.0), raising=False)
    limit = tmp_path / "cpu.max"
    limit.write_text(f"{quota} 100000\n", encoding="ascii")
    monkeypatch.setattr(module, "_LIMIT", limit)
    assert idle_cores() == expected
