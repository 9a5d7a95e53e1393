"""The training and test questions of the small model (docs/benchmarks.md): nothing that is tested is trained.

    python benchmarks/small_model.py --data .data --out small

writes into the folder `small`

- `metaqa.jsonl`, `webqsp.jsonl`: recorded programs for training questions, without those that the dev files have too;
- `webqsp_gold.jsonl`: WebQSP's training questions with the S-expressions of their gold SPARQL, for `--lang sexpr`;
- `cron_like.jsonl`: programs of two thirds of the questions of the templates that may be seen;
- `cron_like_seen.jsonl`, `cron_like_unseen.jsonl`: other questions of these templates, and all questions of a sixth of
  the templates, for `cgstore eval cron_like --questions`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
from collections.abc import Mapping
from pathlib import Path

from cgstore.errors import BadInput
from cgstore.evaluate.benchmarks.cronquestions import program_for, read_questions
from cgstore.evaluate.benchmarks.files import json_list
from cgstore.evaluate.benchmarks.freebase import WEBQSP_TRAINING, names_of_ids
from cgstore.finetune.data import question_key, questions_in, read_lines
from cgstore.query.sexpr.write import sexpr_text
from cgstore.query.sparql.from_sparql import from_sparql
from cgstore.query.sparql.vocabulary import Vocabulary

HOPS = (1, 2, 3)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    _recorded(given.data, given.out)
    _webqsp_gold(given.data, given.out)
    _cron_like(given.data / "cron_like", given.out, random.Random(given.seed))


def _recorded(data: Path, out: Path) -> None:
    """Recorded programs, without dev questions."""
    dev = {question_key(q) for hop in HOPS for q in questions_in(data / f"metaqa/{hop}-hop/vanilla/qa_dev.txt")}
    webqsp = json.loads((data / "webqsp/WebQSP.dev.json").read_text(encoding="utf-8-sig"))["Questions"]
    dev |= {question_key(text) for each in webqsp for text in (each["RawQuestion"], each["ProcessedQuestion"])}
    files = {"metaqa": [f"metaqa_{hop}hop" for hop in HOPS], "webqsp": ["webqsp_named", "webqsp_unnamed"]}
    for name, recorded in files.items():
        lines = [line for each in recorded for line in read_lines(data / f"recorded/{each}.jsonl")]
        kept = [line for line in lines if question_key(line.question) not in dev]
        _write(out / f"{name}.jsonl", [{"question": line.question, "reply": line.program} for line in kept])
        print(f"{name}: {len(kept):,} of {len(lines):,} recorded questions, the others are dev questions")


def _webqsp_gold(data: Path, out: Path) -> None:
    """The first gold query of each training question as an S-expression, with names in the place of ids."""
    names = names_of_ids(data / "cwq")  # they are in the folder `webqsp` beside it
    training = [question for _, question in json_list(data / "webqsp" / WEBQSP_TRAINING, "Questions")]
    pairs: list[dict[str, object]] = []
    for question in training:
        try:
            form = from_sparql(_with_names(question["Parses"][0]["Sparql"], names)).form
        except BadInput:
            continue
        pairs.append({"question": question["RawQuestion"], "sexpr": sexpr_text(form)})
    _write(out / "webqsp_gold.jsonl", pairs)
    print(f"webqsp_gold: {len(pairs):,} of {len(training):,} gold queries as S-expressions")


def _with_names(sparql: str, names: Mapping[str, str]) -> str:
    iri = Vocabulary().iri_term
    return re.sub(r"\bns:([mg]\.\w+)", lambda match: iri(names.get(match[1], match[1])), sparql)


def _cron_like(folder: Path, out: Path, draw: random.Random) -> None:
    path = folder / "questions_dev.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    questions = list(read_questions(path))
    templates = sorted({question.template for question in questions})
    unseen = set(draw.sample(templates, len(templates) // 6))
    seen = [number for number, question in enumerate(questions) if question.template not in unseen]
    draw.shuffle(seen)
    training, test = seen[: 2 * len(seen) // 3], seen[2 * len(seen) // 3 :]
    trained = {question_key(questions[number].text) for number in training}
    test = [number for number in test if question_key(questions[number].text) not in trained]
    never = [number for number, question in enumerate(questions) if question.template in unseen]
    programs = [{"question": questions[n].text, "program": program_for(questions[n])} for n in training]
    _write(out / "cron_like.jsonl", programs)
    _write(out / "cron_like_seen.jsonl", [records[number] for number in test])
    _write(out / "cron_like_unseen.jsonl", [records[number] for number in never])
    print(f"cron_like: {len(training):,} questions for training, {len(test):,} others of their templates,")
    print(f"{len(never):,} of {len(unseen)} other templates, of {len(templates)} in all")


def _write(path: Path, records: list[dict[str, object]]) -> None:
    path.write_text("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in records), encoding="utf-8")


if __name__ == "__main__":
    main()
