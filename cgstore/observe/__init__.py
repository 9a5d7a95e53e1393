"""What long work says while it runs: bars on a terminal, and spans of OpenTelemetry."""
