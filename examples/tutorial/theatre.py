"""Writes a small property graph of an invented theatre for docs/tutorials/neo4j.md, as a graph of yours that is there.

    python examples/tutorial/theatre.py

It goes to the Neo4j of CGSTORE_NEO4J_URI, CGSTORE_NEO4J_USER and CGSTORE_NEO4J_PASSWORD, under the labels Actor, Play
and Stage. Written again, it is the same. `MATCH (n:Actor|Play|Stage) DETACH DELETE n` removes it.
"""

import os

import neo4j

ACTORS = {"Vera Holm": 1981, "Nils Brandt": 1974, "Ada Kern": 1990, "Tom Rask": 1966}
PLAYS = {"The Lighthouse": 2019, "Winter Ferry": 2021, "Three Clocks": 2023}
ROLES = [
    ("Vera Holm", "The Lighthouse", "the keeper", 2019),
    ("Vera Holm", "Three Clocks", "the clockmaker", 2023),
    ("Nils Brandt", "Winter Ferry", "the captain", 2021),
    ("Ada Kern", "Winter Ferry", "the stowaway", 2022),
    ("Ada Kern", "Three Clocks", "the apprentice", 2023),
    ("Tom Rask", "The Lighthouse", "the inspector", 2020),
]
SHOWN = [("The Lighthouse", "Harbour Stage"), ("Winter Ferry", "Harbour Stage"), ("Three Clocks", "Old Mill Stage")]


def main() -> None:
    setting = os.environ.get
    login = (setting("CGSTORE_NEO4J_USER", "neo4j"), os.environ["CGSTORE_NEO4J_PASSWORD"])
    with neo4j.GraphDatabase.driver(os.environ["CGSTORE_NEO4J_URI"], auth=login) as driver:
        for actor, born in ACTORS.items():
            driver.execute_query("MERGE (a:Actor {name: $name}) SET a.born = $born", name=actor, born=born)
        for play, written in PLAYS.items():
            driver.execute_query("MERGE (p:Play {title: $title}) SET p.written = $year", title=play, year=written)
        for actor, play, role, since in ROLES:
            driver.execute_query(
                "MATCH (a:Actor {name: $actor}), (p:Play {title: $play}) "
                "MERGE (a)-[r:ACTED_IN]->(p) SET r.role = $role, r.since = $since",
                actor=actor, play=play, role=role, since=since,
            )  # fmt: skip
        for play, stage in SHOWN:
            driver.execute_query(
                "MATCH (p:Play {title: $play}) MERGE (s:Stage {name: $stage}) MERGE (p)-[:SHOWN_AT]->(s)",
                play=play, stage=stage,
            )  # fmt: skip
    print(f"{len(ACTORS)} actors in {len(PLAYS)} plays are in the database.")


if __name__ == "__main__":
    main()
