"""The published SPARQL queries of WebQSP and CWQ as logical forms."""
