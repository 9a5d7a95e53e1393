"""What neo4j.conf says: loopback only, nothing sent to anybody, a bounded transaction log."""

from __future__ import annotations

from pathlib import Path

from cgstore.server.memory import Memory, in_megabytes
from cgstore.server.ports import HOST, Ports


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
        # Without a limit by size the log of a few large loads fills the disk.
        "db.tx_log.rotation.retention_policy": "256M size",
        "db.tx_log.rotation.size": "64M",
        # Logs are removed at a checkpoint, which by default comes every quarter of an hour: a load writes gigabytes.
        "db.checkpoint": "VOLUME",
        "db.checkpoint.interval.volume": "512M",
        "db.tx_log.preallocate": "false",
        # Else Browser draws every relationship between the nodes of a result: two triples of evidence become 30.
        "browser.post_connect_cmd": "config autoComplete: false",
        # Else each stop waits 10 s for connections that are already closed.
        "internal.dbms.bolt.netty_server_shutdown_quiet_period": "0",
    }
    if not version.startswith("5."):
        common |= {"server.fleet_discovery.enabled": "false", "dbms.fleet_manager.enabled": "false"}
    return common


def render(values: dict[str, str]) -> str:
    """The text of neo4j.conf."""
    lines = ["# Written by cgstore at each start; changes made here are lost."]
    return "\n".join(lines + [f"{name}={value}" for name, value in values.items()]) + "\n"
