"""Small functions for the features that Numba's manual lists (feature_functions.txt), compared with plain Python by the comparison of
scripts/foreign. The refused ones are listed here; when one is compiled, it must be removed from the list."""
import pathlib
import sys

import numpy as np
import pytest

import pyraptor

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "scripts/foreign"))

import suite_features  # noqa: E402
import target  # noqa: E402

REFUSED = """
language: lang_generator_next
builtins: builtin_frozenset
lists: list_mixed_float_int
lists: list_alias
sets: set_loop_order
sets: set_pop_all
numpy scalars and attributes: m[:, 1].flags.c_contiguous
numpy scalars and attributes: view_change
numpy methods: a.tobytes()
numpy methods: m3.squeeze()
numpy methods: meth_setflags
numpy functions: np.apply_along_axis(np.sum, 0, m)
numpy functions: np.apply_over_axes(np.sum, m, 0)
numpy functions: np.squeeze(m3)
numpy functions: np.row_stack((a3, a3)) if hasattr(np, "row_stack") else 0
numpy functions: np.unique_values(v).sum() if hasattr(np, "unique_values") else 0
records, dates: rec_set_field
records, dates: rec_empty
records, dates: date_diff
records, dates: date_add
records, dates: date_int
records, dates: date_max
records, dates: date_diff_days
records, dates: chars_item
""".strip().split("\n")


class Record:
    """Records the outcome of a case."""

    def begin(self, call):
        self.outcome = None

    def phase(self, name):
        pass

    def end(self, outcome, detail="", **more):
        self.outcome, self.detail = outcome, detail


CASES = [suite_features.Case(*c) for c in suite_features.texts(pathlib.Path(__file__).parent / "feature_functions.txt")]
SECTIONS = sorted({c.name.split(":")[0] for c in CASES})


@pytest.fixture
def settings():
    names = ("tiered", "disk_cache", "opt_level", "regions")
    before = {k: getattr(pyraptor.config, k) for k in names}
    target.configure(0)
    yield
    for k, v in before.items():
        setattr(pyraptor.config, k, v)


def test_the_list_names_cases():
    assert set(REFUSED) <= {c.name for c in CASES} and len(CASES) > 800


@pytest.mark.skipif(np.lib.NumpyVersion(np.__version__) < "2.4.0" or sys.version_info < (3, 11), reason="names and messages of one version")
@pytest.mark.parametrize("section", SECTIONS)
def test_section(settings, section):
    wrong = []
    for case in CASES:
        if case.name.split(":")[0] == section:
            record = Record()
            case.run(record)
            if record.outcome != ("refused" if case.name in REFUSED else "right"):
                wrong.append(f"{case.name}: {record.outcome}: {record.detail}")
    assert not wrong, "\n".join(wrong)
