"""The page "How often are we wrong?" says what the outcomes say."""

import pytest

from stablek.api.verdict import verdict
from stablek.datasets.nulls import NULLS
from stablek_bench.pvalues import at_most, p_picture, p_rows, p_values
from stablek_bench.trust import ITEMS, PARTS, Case, Outcome, cases, run_case
from stablek_bench.wrong import page


def outcome(part, kind, k, said, *, n=60, m=10, error=0.0, p_of=None, p=None, seed=1):
    case = Case(part, kind, 0 if k > 1 else n, m, k, error, 1_040_000 + seed)
    peers = dict.fromkeys(("silhouette", "gap", "elbow", "bic"), 2)
    return Outcome(case, n, said, 4, p, p_of or {}, (), peers, 1.0)


def asked(kind, box, skewed, gaussian, *, before=False, seed=1):
    p_of = {"box": box, "skewed": skewed, "gaussian": gaussian}
    p = None if before else max(p_of.values())
    return outcome("pvalues", kind, 1, None, p_of=p_of, p=p, seed=seed)


def test_every_kind_of_data_is_held_against_every_null_model():
    wanted = list(cases(4, 7, ["pvalues"]))
    assert {case.kind for case in wanted} == set(NULLS)
    assert len(wanted) == 2 * len(NULLS)


def test_the_parts_together_are_all_that_a_bare_command_runs():
    assert {case.part for case in cases(4)} == set(PARTS)


def test_the_part_on_items_changes_nothing_but_their_number():
    one = [case for case in cases(4, 7, ["items"]) if case.seed == 1_070_000]
    assert [case.n for case in one] == list(ITEMS)
    assert len({(case.k, case.m, case.error) for case in one}) == 1
    assert one[1].make().values.shape == (200, 2)


@pytest.fixture(scope="module")
def case():
    return Case("pvalues", "uniform", 40, 3, 1, 0.0, 1_070_001)


def test_all_p_values_are_given_though_the_first_null_refutes(case):
    found = run_case(case)
    told = verdict(case.make().values, seed=case.seed, jobs=1)
    assert told.k == 1
    assert set(told.p_of) == {"box"}  # the others were not asked
    assert set(found.p_of) == {"box", "skewed", "gaussian"}
    assert found.p_of["box"] == told.p_of["box"]
    assert found.p == max(found.p_of.values())
    assert found.k is None


def test_where_no_component_stands_out_the_gate_is_asked_all_the_same():
    flat = Case("pvalues", "gaussian", 60, 10, 1, 0.0, 7)
    found = run_case(flat)
    assert verdict(flat.make().values, seed=7, jobs=1).p is None
    assert found.p is None
    assert len(found.p_of) == 3


def test_the_table_of_p_values_counts_each_null_and_all_together():
    sets = [
        asked("ball", 0.01, 0.5, 0.2, seed=1),
        asked("ball", 0.05, 0.02, 0.01, seed=2),
        asked("ball", 1.0, 1.0, 1.0, before=True, seed=3),
        asked("uniform", 0.1, 0.6, 0.7, seed=1),
    ]
    rows = p_rows(sets)
    assert rows[0][-4:] == ["p <= 0.01", "p <= 0.05", "p <= 0.1", "p <= 0.5"]
    assert [row[0] for row in rows[1:]] == ["uniform"] * 4 + ["ball"] * 4
    box, _, _, together = rows[5:]
    assert box[1:4] == ["3", "1", "box"]
    assert box[4].startswith("33 % (")
    assert box[5].startswith("67 % (")
    assert together[3] == "all three"
    assert [cell.split(" ")[0] for cell in together[4:]] == ["0", "33", "33", "67"]
    assert p_values(sets, "ball", "all three") == [0.5, 0.05, 1.0]


def test_a_p_value_at_the_level_counts():
    assert at_most([0.1 + 0.2, 0.31], 0.3).hits == 1


def test_the_picture_has_a_plot_per_kind_and_null():
    drawn = p_picture([asked("ball", 0.01, 0.5, 0.2), asked("gamma", 1.0, 1.0, 1.0)])
    assert drawn.count("<polyline") == 2 * 4
    assert drawn.count("<rect") == 2 * 4


def test_the_page_shows_sizes_items_and_which_sets_it_holds():
    outcomes = [
        outcome("null", "gaussian", 1, 1, n=60, m=600),
        outcome("null", "gaussian", 1, 3, n=300, m=50, seed=2),
        outcome("mixture", "unequal", 2, 2, n=100, error=0.01),
        outcome("mixture", "unequal", 10, 9, n=440, error=0.01),
        outcome("items", "unequal", 3, 3, n=800, error=0.01),
        asked("curves", 0.01, 0.02, 0.01),
    ]
    text = page(outcomes, "stablek bench trust --sets 1 -o DIR")
    by_size = text[text.index("| size |") :].split("\n\n")[0].splitlines()
    assert by_size[2].startswith("| 60 x 600 | 1 | 0.0 %")
    assert by_size[3].startswith("| 300 x 50 | 1 | 100.0 %")
    assert by_size[4].startswith("| all | 2 | 50.0 %")
    assert "\n| 2 (100) | 1 |" in text
    assert "\n| 10 (440) | 1 |" in text
    assert "\n| 800 | 1 |" in text
    assert "\n| curves | 1 | 0 | box |" in text
    assert "\n| null | 4 | 2 | 50.0 % (9-91) |  |  |\n" in text
    assert "\n| mixture | 4 | 2 | 100.0 % (34-100) | 50.0 % (9-91) | 100.0 %" in text
    assert "\n| pvalues | 4 | 1 | not asked |" in text


def test_a_note_stands_below_the_head_of_the_page():
    text = page([asked("ball", 0.5, 0.5, 0.5)], "a command", ["Seed 4 was seen."])
    assert text.index("from Ward.") < text.index("\nSeed 4 was seen.\n")
    assert text.index("Seed 4 was seen.") < text.index("## p-values")
