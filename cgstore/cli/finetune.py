"""`cgstore finetune`: the data from which a model learns to write programs, and its training."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cgstore.cli.common import connected, counted, json_option, print_report
from cgstore.errors import BadInput
from cgstore.options import LANGUAGES

if TYPE_CHECKING:
    from cgstore.finetune.data import DataReport, Line
    from cgstore.finetune.training import TrainingReport
    from cgstore.store import Store

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
_NEW_FILE = click.Path(dir_okay=False, path_type=Path)

SMALL = "smollm2"
"""The base of the small model, as `finetune run` knows it."""


@click.group()
def finetune() -> None:
    """Train a model to write programs for questions: of your own (`--llm hf:FOLDER`), or the small one's adapter."""


@finetune.command()
@click.option(
    "--train", "files", multiple=True, type=_FILE, help="JSON Lines {question, program}; may be repeated (see below)."
)
@click.option(
    "--set", "sets", multiple=True, metavar="SET", help="A set of `eval oracle`, whose questions have programs."
)
@click.option("--data", type=_FOLDER, help="For --set: the folder with wikisql, metaqa and cron_like in it.")
@click.option(
    "--questions", type=click.Path(exists=True, path_type=Path), help="For --set: other questions in its format."
)
@click.option(
    "--without", multiple=True, type=_FILE, help="A file of questions to leave out, such as a test's; may be repeated."
)
@click.option(
    "--lang", type=click.Choice(LANGUAGES), default="llm", show_default=True, help="What a model is to write."
)
@click.option(
    "--format",
    "file_format",
    type=click.Choice(["instruction", "openai"]),
    default="instruction",
    show_default=True,
    help="instruction, input and output; or chat messages for OpenAI's fine-tuning.",
)
@click.option("--masked", is_flag=True, help="Placeholders such as <e0> for names, and one pair for equal questions.")
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), default=Path("finetune.jsonl"), show_default=True
)
@json_option
def data(
    files: Sequence[Path],
    sets: Sequence[str],
    data: Path | None,
    questions: Path | None,
    without: Sequence[Path],
    lang: str,
    file_format: str,
    masked: bool,
    out: Path,
    as_json: bool,
) -> None:
    """Write pairs of a question and its program, from which a model can be fine-tuned.

    A line of --train has "question" and one of "program", "reply" (an LLM's whole reply, as in recorded ones) and
    "sexpr". A file of --without has JSON lines with "question", or a question before the first tab of each line.

    \b
    Examples:
      cgstore finetune data --train mine.jsonl --format openai --out openai.jsonl
      cgstore finetune data --train mine.jsonl --masked --without test.jsonl --out pairs.jsonl
      cgstore finetune data --set cron_like --data .data --lang llm --out pairs.jsonl
    """
    from cgstore.finetune.data import make_pairs, read_lines, write_pairs

    if not files and not sets:
        raise click.UsageError("There are no questions: give --train or --set.")
    lines = [line for path in files for line in read_lines(path)]
    lines += [line for name in sets for line in _of_benchmark(name, data, questions)]
    pairs, report = make_pairs(lines, lang, masked=masked, without=without)
    if not pairs:
        raise BadInput("No question is left with a program that can be used.", "\n".join(_problems(report)) or None)
    write_pairs(pairs, out, lang, file_format)
    first = f"{counted(report.pairs, 'pair')} of {counted(report.questions, 'question')}: {out}"
    print_report(report, as_json, first, *_folded(report), *_problems(report))


def _of_benchmark(name: str, folder: Path | None, questions: Path | None) -> Iterator[Line]:
    """The questions of a benchmark's set with the programs of their annotations."""
    from cgstore.evaluate.benchmarks import ORACLE_SETS
    from cgstore.evaluate.benchmarks.benchmark import Selection, to_learn_from
    from cgstore.finetune.data import Line

    if name not in ORACLE_SETS:
        raise BadInput(f"There is no set '{name}' with programs.", f"Choose one of: {', '.join(ORACLE_SETS)}.")
    if folder is None:
        raise click.UsageError("--set needs --data, the folder of the benchmarks.")
    benchmark = ORACLE_SETS[name]
    keywords: Mapping[str, Any] = benchmark.oracle_sets[name]
    assert benchmark.program is not None, "the benchmark has a set of `eval oracle`"
    for question in benchmark.read(to_learn_from(benchmark, Selection(folder, questions, **keywords))).questions:
        yield Line(question.text, benchmark.program(question))


def _folded(report: DataReport) -> Iterator[str]:
    if report.held_out:
        yield f"Left out: {counted(report.held_out, 'question')} of --without."
    if report.folded:
        yield (
            f"{report.folded:,} are like others but for their names; {report.outvoted:,} have another program than "
            "most of these."
        )


def _problems(report: DataReport) -> Iterator[str]:
    for problem, count in report.left_out.items():
        yield f"Left out: {counted(count, 'question')}: {problem}"


@finetune.command()
@click.option("--base", required=True, help=f"The name or folder of a pretrained model; {SMALL}: the small model's.")
@click.option(
    "--method",
    type=click.Choice(["lora", "qlora", "freeze", "ptuning", "full"]),
    default="lora",
    show_default=True,
    help="Which weights are trained.",
)
@click.option(
    "--data",
    required=True,
    type=_FILE,
    help="A file of `finetune data`, of either format; for smollm2 of `finetune mine`.",
)
@click.option("--out", required=True, type=click.Path(file_okay=False, path_type=Path), help="The model's new folder.")
@click.option("--epochs", type=click.FloatRange(min=0, min_open=True), default=3, show_default=True)
@click.option("--batch", type=click.IntRange(1), default=32, show_default=True, help="Pairs in a step.")
@click.option("--rate", type=click.FloatRange(min=0, min_open=True), help="The highest learning rate.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of new weights, order and dropout.")
@click.option("--save-every", type=click.IntRange(1), default=200, show_default=True, help="Steps between checkpoints.")
@json_option
def run(
    base: str,
    method: str,
    data: Path,
    out: Path,
    epochs: float,
    batch: int,
    rate: float | None,
    seed: int,
    save_every: int,
    as_json: bool,
) -> None:
    """Train a model on pairs; after Ctrl-C or a crash, the same command resumes from the last checkpoint.

    Needs pip install 'cgstore[finetune]'. Names of a base are those of your hub. With --base smollm2 the adapter of the
    small model learns on; of the options, --epochs, --rate and --seed are for it.

    \b
    Examples:
      cgstore finetune run --base smollm2 --data mine.json --out mine
      cgstore finetune run --base ./SmolLM2-360M --data pairs.jsonl --out model
      cgstore finetune run --base ./Llama-2-7b --method qlora --data pairs.jsonl --epochs 5 --out model
      cgstore ask --llm hf:model "Who directed Metropolis?"
    """
    if base == SMALL:
        if method != "lora":
            raise BadInput(f"The method of {SMALL} is lora.", "Leave out --method.")
        _run_small(data, out, epochs, rate, seed, as_json)
        return
    from cgstore.finetune.training import Settings, train

    settings = Settings(base, method, epochs, batch, rate, seed, save_every)
    report = train(data, out, settings, progress=True)
    print_report(report, as_json, *_training_lines(report))


def _run_small(data: Path, out: Path, epochs: float, rate: float | None, seed: int, as_json: bool) -> None:
    from cgstore.finetune.adapter import LOG, AdapterSettings, train_adapter
    from cgstore.finetune.pipeline import curve_of
    from cgstore.llm.small.weights import adapter, base_weights

    settings = AdapterSettings(rate=rate or 2e-4, epochs=epochs, seed=seed)
    path = train_adapter(base_weights(), data, out, settings, start=adapter())
    curve = curve_of(out / LOG)
    lines = [f"Loss of a token: {curve[0]['loss']:.3f} at first, {curve[-1]['loss']:.3f} at last."]
    lines.append(f"Ask it with: cgstore ask --llm small --adapter {path} QUESTION")
    print_report({"adapter": str(path), "curve": curve}, as_json, *lines)


def _training_lines(report: TrainingReport) -> list[str]:
    (_, first), (_, last) = report.losses[0], report.losses[-1]
    return [
        f"{report.folder}: {report.trained_weights:,} of {report.weights:,} weights trained on "
        f"{counted(report.pairs, 'pair')} in {counted(report.steps, 'step')}, {report.seconds:.0f} s.",
        f"Loss: {first:.3f} at first, {last:.3f} at last.",
        f"Ask it with: cgstore ask --llm hf:{report.folder} QUESTION",
    ]


@finetune.command()
@click.option("--data", type=_FOLDER, help="The folder of the benchmarks: wikisql, wtq, metaqa, cron_like, recorded.")
@click.option("--words", type=_FOLDER, help="The folder of written questions, such as benchmarks/words.")
@click.option(
    "--out", required=True, type=click.Path(file_okay=False, path_type=Path), help="The folder of all that is made."
)
@click.option(
    "--seconds", type=click.FloatRange(1), default=5400, show_default=True, help="The most that training may take."
)
@click.option("--layers", type=click.IntRange(1, 30), default=18, show_default=True, help="Upper layers that learn.")
@click.option(
    "--rate",
    type=click.FloatRange(min=0, min_open=True),
    default=1e-3,
    show_default=True,
    help="The highest learning rate.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of what is drawn, its order and the new weights.")
@click.option("--threads", type=click.IntRange(1), help="Of PyTorch on a CPU.  [default: its own choice]")
@json_option
def small(
    data: Path | None,
    words: Path | None,
    out: Path,
    seconds: float,
    layers: int,
    rate: float,
    seed: int,
    threads: int | None,
    as_json: bool,
) -> None:
    """Train an adapter of the small model; after Ctrl-C or a crash, the same command resumes.

    Makes examples of the schemas that are learnt from, trains LoRA on the upper layers, and learns what the words of
    questions go with. Needs pip install 'cgstore[finetune,small]'.

    \b
    Examples:
      cgstore finetune small --words benchmarks/words --out small --seconds 1800
      cgstore finetune small --data .data --words benchmarks/words --out small
      cgstore ask --llm small --adapter small/adapter.gguf "who works at the harbour?"
    """
    from cgstore.finetune.adapter import ADAPTER, AdapterSettings
    from cgstore.finetune.pipeline import run_pipeline
    from cgstore.llm.small.weights import base_weights

    settings = AdapterSettings(layers=layers, rate=rate, seed=seed, threads=threads)
    report = run_pipeline(base_weights(), out, settings, data=data, written=words, seconds=seconds)
    kept = {name: counts.get("kept", 0) for name, counts in report["examples"].items()}
    last = report["curve"][-1]
    lines = [f"Learnt from {', '.join(f'{count:,} of {name}' for name, count in kept.items())}."]
    lines.append(f"{last['questions']:,} questions were read; the loss of a token is {last['loss']:.3f} at last.")
    print_report(report, as_json, *lines, f"Ask it with: cgstore ask --llm small --adapter {out / ADAPTER} QUESTION")


@finetune.command()
@click.option(
    "--questions", "files", multiple=True, type=_FILE, help="JSON Lines {question, program, source}; may be repeated."
)
@click.option("--out", type=_NEW_FILE, default=Path("mine.json"), show_default=True)
@json_option
@connected
def mine(store: Store, files: Sequence[Path], out: Path, as_json: bool) -> None:
    """Write what the small model learns of your own questions: those called right, or corrected by a program.

    They are the right ones of `cgstore demos list`, and those of --questions, over the sources that are loaded.

    \b
    Examples:
      cgstore finetune mine --questions mine.jsonl
      cgstore finetune run --base smollm2 --data mine.json --out mine
      cgstore ask --llm small --adapter mine/adapter.gguf "who works at the harbour?"
    """
    from cgstore.finetune.pipeline import collected, write_mine
    from cgstore.llm.demonstrations.build import read_questions

    questions = [*collected(store), *(each for path in files for each in read_questions(path) if each.program)]
    counts = write_mine(store, questions, out)
    print_report(dict(counts), as_json, f"{counted(counts['kept'], 'question')} of {len(questions):,}: {out}")


@finetune.command()
@click.option("--words", required=True, type=_FOLDER, help="The folder of written questions, such as benchmarks/words.")
@click.option("--adapter", required=True, type=_FILE, help="A GGUF file.")
@click.option(
    "--out", type=_NEW_FILE, help="The file of the confidence.  [default: confidence.json beside the adapter]"
)
@json_option
@connected
def calibrate(store: Store, words: Path, adapter: Path, out: Path | None, as_json: bool) -> None:
    """Learn how sure an adapter's answers are, from those to the written questions of the part `tune`.

    Their sources are loaded, and dropped again. After Ctrl-C or a crash, the same command resumes. `--adapter` of `ask`
    uses what is in `confidence.json` beside the adapter.

    \b
    Example:
      cgstore finetune calibrate --words benchmarks/words --adapter small/adapter.gguf
    """
    from cgstore.finetune.calibration import calibrate
    from cgstore.llm.small.weights import CONFIDENCE

    out = out or adapter.with_name(CONFIDENCE)
    fitted = calibrate(store, words, adapter, out)
    risks = ", ".join(f"{risk:.1%}" for risk, _ in fitted.thresholds)
    print_report(fitted, as_json, f"{out}: the risks with a threshold are {risks}.")
