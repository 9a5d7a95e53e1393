"""S-expressions, the logical forms of GrailQA, WebQSP and CWQ as ChatKBQA writes them: docs/logical-forms.md."""
