"""What Hypothesis draws depends on the spec and the seed, and on nothing that lies around."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

_DRAW = """
import sys
sys.path.insert(0, "src")
{first}
from neurosym_specs.loader import spec_from_toml
from neurosym_verifiers.search.hypothesis_draws import hypothesis_inputs
spec = spec_from_toml('''
spec = 1
name = "f"
[inputs]
n = {{ type = "int" }}
text = {{ type = "str", max_len = 9 }}
[output]
type = "int"
[[ensure]]
that = "result == n"
''')
print(ascii(hypothesis_inputs(spec, 400, 7)))
"""
_CONSTANTS = "\n".join(f"a{n} = {n}\nb{n} = 'text {n}'" for n in range(70_001, 70_400))


def test_draws_do_not_depend_on_what_else_is_loaded_and_leave_no_files(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "local_constants.py").write_text(_CONSTANTS)
    plain, beside_others = (
        subprocess.run(
            [sys.executable, "-B", "-c", _DRAW.format(first=first)],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for first in ("", "import local_constants")
    )
    assert plain.count("'n':") > 300
    assert plain == beside_others
    assert [each.name for each in tmp_path.iterdir()] == ["src"]
