"""cgstore in other libraries, each in a module of its own that needs an extra.

- `graphrag`: a retriever of neo4j-graphrag.
- `langchain`: a tool of LangChain.
- `networkx`, `rdflib`, `py2neo`: the evidence of an answer as their graphs.
"""
