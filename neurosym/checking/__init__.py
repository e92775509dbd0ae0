"""Checking a project: its functions against their specs, as ``[tool.neurosym]`` in ``pyproject.toml`` says."""
