"""The program: its grammar and AST, the rules that turn it into an execution query. It knows no Cypher and no graph."""
