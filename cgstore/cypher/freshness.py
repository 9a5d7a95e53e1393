"""What a statement looks at again before its answer counts: the sources asked, and the nodes that its names mean.

So a program may be compiled from what an earlier one found, or from a guess, and run in one round trip: where the graph
has something else by now, the answer is not taken, and the names are mapped again. It also means that no answer is
given of a source that was dropped, replaced or changed while it was read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Seen:
    """What the mapping of a program's names found in the graph, or took for granted.

    Args:
        sources: the stored names of the sources asked.
        loaded: when each of them became ready, and the number of its last change, as text (`VERSION_OF`); parallel.
        every: whether these are all that are ready, those of aliases left out.
        keys: the keys that were looked up.
        present: those of them that have a node.
        forms: the normal forms that were looked up.
        alike: the keys of all shared nodes of these forms.
        said: the normal forms of all names, of relations too.
        aliases: the keys of all aliases of these forms.
    """

    sources: tuple[str, ...]
    loaded: tuple[str, ...]
    every: bool = False
    keys: tuple[str, ...] = ()
    present: tuple[str, ...] = ()
    forms: tuple[str, ...] = ()
    alike: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()

    def parameters(self) -> dict[str, Any]:
        """Those of `AS_MAPPED`."""
        lists = {name: list(value) for name, value in vars(self).items() if isinstance(value, tuple)}
        return lists | {"every": self.every}


VERSION_OF = "toString(s.loaded) + coalesce(' ' + toString(s.change), '')"
"""An expression for the state of a source s: it is another one after each load and each change."""

CHANGING = "changing "
"""Begins the name of the mark of a source whose change is being committed."""

ALIASES_SAID = """\
  UNWIND $said AS form
  MATCH (a:CgAlias {normal: form})
  USING INDEX SEEK a:CgAlias(normal)
  MATCH (s:CgSource {name: a.source})
  USING INDEX SEEK s:CgSource(name)
  WHERE s.state = 'ready'
"""
"""Binds `a` to each alias that counts, of the normal forms `$said`: of a source only the version that is ready."""

AS_MAPPED = (
    f"""\
CALL () {{
  UNWIND range(0, size($sources) - 1) AS i
  MATCH (s:CgSource {{name: $sources[i], state: 'ready'}})
  USING INDEX SEEK s:CgSource(name)
  WHERE {VERSION_OF} = $loaded[i]
  RETURN count(s) AS ready
}}
CALL () {{
  UNWIND $sources AS source
  MATCH (m:CgMeta {{name: '{CHANGING}' + source}})
  USING INDEX SEEK m:CgMeta(name)
  RETURN count(m) AS changing
}}
"""
    + """\
CALL () {
  UNWIND CASE WHEN $every THEN [1] ELSE [] END AS once
  MATCH (s:CgSource {state: 'ready'})
  USING INDEX s:CgSource(state)
  WHERE s.kind <> 'aliases'
  RETURN count(s) AS all_ready
}
CALL () {
  UNWIND $keys AS key
  MATCH (n:CgNode {key: key})
  USING INDEX SEEK n:CgNode(key)
  RETURN collect(key) AS present
}
CALL () {
  UNWIND $forms AS form
  MATCH (n:CgNode {normal: form})
  USING INDEX SEEK n:CgNode(normal)
  WHERE n.source IS NULL
  RETURN collect(n.key) AS alike
}
CALL () {
"""
    + ALIASES_SAID
    + """\
  RETURN collect(a.key) AS aliases
}
CALL (ready, changing, all_ready, present, alike, aliases) {
  RETURN ready = size($sources) AND changing = 0 AND (NOT $every OR all_ready = ready)
    AND size(present) = size($present) AND all(key IN present WHERE key IN $present)
    AND size(alike) = size($alike) AND all(key IN alike WHERE key IN $alike)
    AND size(aliases) = size($aliases) AND all(key IN aliases WHERE key IN $aliases) AS as_mapped
}"""
)
"""Binds `as_mapped`: whether all is as it was seen. A drop marks a source before it removes its first triple, and a
change marks it before its transaction is committed (`cgstore.catalog.changes`)."""
