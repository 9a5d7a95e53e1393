"""Makes the vectors of `cgstore.text.word_vectors` from lists of English words.

The lists (one word a line, such as those of Debian's packages `wamerican` and `wbritish`, which are SCOWL's) are cut
down to base forms. Each word is encoded alone by all-MiniLM-L6-v2, as are the words of the thesaurus; the vectors are
centred, projected on their first principal components, and stored as bytes.
"""

from __future__ import annotations

import re
from collections.abc import Set
from importlib import resources
from pathlib import Path

import click
import numpy as np

from cgstore.embedding.encoder import load_encoder
from cgstore.text.word_vectors import DIMENSIONS, base_forms


@click.command(help=__doc__)
@click.argument("lists", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
def main(lists: tuple[Path, ...]) -> None:
    """Writes `words.txt` and `vectors.bin`."""
    known = {word for each in lists for word in each.read_text(encoding="utf-8").split() if _is_word(word)}
    words = {word for word in known if not _is_inflected(word, known)}
    folder = Path(str(resources.files("cgstore.text")))
    for file in (folder / "thesaurus").glob("*.txt"):
        said = re.findall(r"[a-z]{2,}", file.read_text(encoding="utf-8").lower())
        words |= {word for word in said if not any(form in words for form in base_forms(word))}
    ordered = sorted(words)
    vectors = np.asarray(load_encoder().encode(ordered))
    vectors = vectors - vectors.mean(axis=0)
    components = np.linalg.svd(vectors, full_matrices=False)[2][:DIMENSIONS]
    vectors = vectors @ components.T
    vectors = np.round(vectors * 127 / np.abs(vectors).max(axis=1, keepdims=True)).astype(np.int8)
    (folder / "word_vectors" / "words.txt").write_text("\n".join(ordered) + "\n", encoding="utf-8")
    (folder / "word_vectors" / "vectors.bin").write_bytes(vectors.tobytes())
    click.echo(f"{len(ordered)} words, {vectors.nbytes / 1e6:.1f} MB")


def _is_word(word: str) -> bool:
    return re.fullmatch(r"[a-z]{2,}", word) is not None


def _is_inflected(word: str, known: Set[str]) -> bool:
    """Whether a word is another one's plural, verb form or the like; nouns in `-ing`, as `building`, are kept."""
    if word.endswith("ing") and f"{word}s" in known:
        return False
    return any(form in known for form in base_forms(word))


if __name__ == "__main__":
    main()
