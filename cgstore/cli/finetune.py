"""`cgstore finetune`: the data from which a model learns to write programs, and its training."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cgstore.cli.common import Output, connected, printing
from cgstore.cli.options import FILE, FOLDER, NEW_FILE, NEW_FOLDER, taking
from cgstore.errors import BadInput
from cgstore.finetune.adapter import ADAPTER, LOG, AdapterSettings, train_adapter
from cgstore.finetune.training import Settings, train
from cgstore.llm.small.weights import adapter as shipped_adapter
from cgstore.llm.small.weights import base_weights
from cgstore.options import LANGUAGES, Options, option
from cgstore.text.names import many

if TYPE_CHECKING:
    from cgstore.finetune.data import DataReport, Line
    from cgstore.finetune.training import TrainingReport
    from cgstore.store import Store

SMALL = "smollm2"
"""The base of the small model, as `finetune run` knows it."""


@dataclass(frozen=True)
class DataOptions(Options):
    """Which questions become pairs, and how these are written."""

    train: Sequence[Path] = option(
        (), "JSON Lines {question, program}; may be repeated (see below).", several=True, path="file"
    )
    sets: Sequence[str] = option(
        (), "A set of `eval oracle`, whose questions have programs.", several=True, flag="set", metavar="SET"
    )
    data: Path | None = option(None, "For --set: the folder with wikisql, metaqa and cron_like in it.", path="folder")
    questions: Path | None = option(None, "For --set: other questions in its format.", path="any")
    without: Sequence[Path] = option(
        (), "A file of questions to leave out, such as a test's; may be repeated.", several=True, path="file"
    )
    lang: str = option("llm", "What a model is to write.", choices=LANGUAGES)
    format: str = option(
        "instruction",
        "instruction, input and output; or chat messages for OpenAI's fine-tuning.",
        choices=("instruction", "openai"),
    )
    masked: bool = option(False, "Placeholders such as <e0> for names, and one pair for equal questions.")
    out: Path = option(Path("finetune.jsonl"), "The file of the pairs.", path="new file")


@click.command()
@taking("options", DataOptions)
@printing
def data(options: dict[str, Any]) -> Output:
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

    how = DataOptions(**options)
    if not how.train and not how.sets:
        raise click.UsageError("There are no questions: give --train or --set.")
    lines = [line for path in how.train for line in read_lines(path)]
    lines += [line for name in how.sets for line in _of_benchmark(name, how.data, how.questions)]
    pairs, report = make_pairs(lines, how.lang, masked=how.masked, without=how.without)
    if not pairs:
        raise BadInput("No question is left with a program that can be used.", "\n".join(_problems(report)) or None)
    write_pairs(pairs, how.out, how.lang, how.format)
    first = f"{many(report.pairs, 'pair')} of {many(report.questions, 'question')}: {how.out}"
    return Output(report, [first, *_folded(report), *_problems(report)])


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
    for question in benchmark.read(to_learn_from(benchmark, Selection(folder, questions, **keywords))).questions:
        yield Line(question.text, benchmark.program(question))


def _folded(report: DataReport) -> Iterator[str]:
    if report.held_out:
        yield f"Left out: {many(report.held_out, 'question')} of --without."
    if report.folded:
        yield (
            f"{report.folded:,} are like others but for their names; {report.outvoted:,} have another program than "
            "most of these."
        )


def _problems(report: DataReport) -> Iterator[str]:
    for problem, count in report.left_out.items():
        yield f"Left out: {many(count, 'question')}: {problem}"


@click.command()
@taking("settings", Settings)
@click.option(
    "--data",
    required=True,
    type=FILE,
    help="A file of `finetune data`, of either format; for smollm2 of `finetune mine`.",
)
@click.option("--out", required=True, type=NEW_FOLDER, help="The model's new folder.")
@printing
def run(settings: dict[str, Any], data: Path, out: Path) -> Output:
    """Train a model on pairs; after Ctrl-C or a crash, the same command resumes from the last checkpoint.

    Needs pip install 'cgstore[finetune]'. Names of a base are those of your hub. With --base smollm2 the adapter of the
    small model learns on; of the options, --epochs, --rate and --seed are for it.

    \b
    Examples:
      cgstore finetune run --base smollm2 --data mine.json --out mine
      cgstore finetune run --base ./SmolLM2-360M --data pairs.jsonl --out model
      cgstore ask --llm hf:model "Who directed Metropolis?"
    """
    chosen = Settings(**settings)
    if chosen.base == SMALL:
        return _run_small(chosen, data, out)
    report = train(data, out, chosen, progress=True)
    return Output(report, _training_lines(report))


def _run_small(settings: Settings, data: Path, out: Path) -> Output:
    from cgstore.finetune.pipeline import curve_of

    if settings.method != "lora":
        raise BadInput(f"The method of {SMALL} is lora.", "Leave out --method.")
    own = AdapterSettings(rate=settings.rate or 2e-4, epochs=settings.epochs, seed=settings.seed)
    path = train_adapter(base_weights(), data, out, own, start=shipped_adapter())
    curve = curve_of(out / LOG)
    lines = [f"Loss of a token: {curve[0]['loss']:.3f} at first, {curve[-1]['loss']:.3f} at last."]
    lines.append(f"Ask it with: cgstore ask --llm small --adapter {path} QUESTION")
    return Output({"adapter": str(path), "curve": curve}, lines)


def _training_lines(report: TrainingReport) -> list[str]:
    (_, first), (_, last) = report.losses[0], report.losses[-1]
    return [
        f"{report.folder}: {report.trained_weights:,} of {report.weights:,} weights trained on "
        f"{many(report.pairs, 'pair')} in {many(report.steps, 'step')}, {report.seconds:.0f} s.",
        f"Loss: {first:.3f} at first, {last:.3f} at last.",
        f"Ask it with: cgstore ask --llm hf:{report.folder} QUESTION",
    ]


@click.command()
@click.option("--data", type=FOLDER, help="The folder of the benchmarks: wikisql, wtq, metaqa, cron_like, recorded.")
@click.option("--words", type=FOLDER, help="The folder of written questions, such as benchmarks/words.")
@click.option("--out", required=True, type=NEW_FOLDER, help="The folder of all that is made.")
@click.option(
    "--seconds", type=click.FloatRange(1), default=5400, show_default=True, help="The most that training may take."
)
@taking("settings", AdapterSettings, "layers", "rate", "seed", "threads")
@printing
def small(data: Path | None, words: Path | None, out: Path, seconds: float, settings: dict[str, Any]) -> Output:
    """Train an adapter of the small model; after Ctrl-C or a crash, the same command resumes.

    Makes examples of the schemas that are learnt from, trains LoRA on the upper layers, and learns what the words of
    questions go with. Needs pip install 'cgstore[finetune,small]'.

    \b
    Examples:
      cgstore finetune small --words benchmarks/words --out small --seconds 1800
      cgstore finetune small --data .data --words benchmarks/words --out small
      cgstore ask --llm small --adapter small/adapter.gguf "who works at the harbour?"
    """
    from cgstore.finetune.pipeline import run_pipeline

    own = AdapterSettings(**settings)
    report = run_pipeline(base_weights(), out, own, data=data, written=words, seconds=seconds)
    kept = {name: counts.get("kept", 0) for name, counts in report["examples"].items()}
    last = report["curve"][-1]
    lines = [f"Learnt from {', '.join(f'{count:,} of {name}' for name, count in kept.items())}."]
    lines.append(f"{last['questions']:,} questions were read; the loss of a token is {last['loss']:.3f} at last.")
    lines.append(f"Ask it with: cgstore ask --llm small --adapter {out / ADAPTER} QUESTION")
    return Output(report, lines)


@click.command()
@click.option(
    "--questions", "files", multiple=True, type=FILE, help="JSON Lines {question, program, source}; may be repeated."
)
@click.option("--out", type=NEW_FILE, default=Path("mine.json"), show_default=True)
@printing
@connected
def mine(store: Store, files: Sequence[Path], out: Path) -> Output:
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
    return Output(dict(counts), [f"{many(counts['kept'], 'question')} of {len(questions):,}: {out}"])


@click.command()
@click.option("--words", required=True, type=FOLDER, help="The folder of written questions, such as benchmarks/words.")
@click.option("--adapter", required=True, type=FILE, help="A GGUF file.")
@click.option("--out", type=NEW_FILE, help="The file of the confidence.  [default: confidence.json beside the adapter]")
@printing
@connected
def calibrate(store: Store, words: Path, adapter: Path, out: Path | None) -> Output:
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
    return Output(fitted, [f"{out}: the risks with a threshold are {risks}."])


COMMANDS = {"data": data, "run": run, "small": small, "mine": mine, "calibrate": calibrate}
