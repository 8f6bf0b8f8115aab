"""The simulated half of "How often are we wrong?" says what the outcomes say."""

from stablek_bench.trust import ITEMS, PARTS, Case, Outcome, cases
from stablek_bench.wrong import page


def outcome(part, kind, k, said, *, n=60, m=10, error=0.0, seed=1, strength="strong"):
    case = Case(part, kind, 0 if k > 1 else n, m, k, error, 1_040_000 + seed)
    peers = dict.fromkeys(("silhouette", "gap", "elbow", "bic"), 2)
    return Outcome(case, n, said, strength, 4, 0.02, {}, (), peers, 1.0)


def test_the_parts_together_are_all_that_a_bare_command_runs():
    assert {case.part for case in cases(4)} == set(PARTS)


def test_the_part_on_items_changes_nothing_but_their_number():
    one = [case for case in cases(4, 7, ["items"]) if case.seed == 1_070_000]
    assert [case.n for case in one] == list(ITEMS)
    assert len({(case.k, case.m, case.error) for case in one}) == 1
    assert one[1].make().values.shape == (200, 2)


def test_the_page_shows_sizes_items_and_which_sets_it_holds():
    outcomes = [
        outcome("null", "gaussian", 1, 1, n=60, m=600),
        outcome("null", "gaussian", 1, 3, n=300, m=50, seed=2),
        outcome("mixture", "unequal", 2, 2, n=100, error=0.01),
        outcome("mixture", "unequal", 10, 9, n=440, error=0.01, strength="weak"),
        outcome("items", "unequal", 3, 3, n=800, error=0.01),
    ]
    text = page(outcomes, "stablek bench trust --sets 1 -o DIR")
    by_size = text[text.index("| size |") :].split("\n\n")[0].splitlines()
    assert by_size[2].startswith("| 60 x 600 | 1 | 0.0 %")
    assert by_size[3].startswith("| 300 x 50 | 1 | 100.0 %")
    assert by_size[4].startswith("| all | 2 | 50.0 %")
    assert "\n| 2 (100) | 1 |" in text
    assert "\n| 10 (440) | 1 |" in text
    assert "\n| 800 | 1 |" in text
    assert "\n| null | 4 | 2 | 50.0 % (9-91) |  |  |\n" in text
    assert "\n| mixture | 4 | 2 | 100.0 % (34-100) | 50.0 % (9-91) | 100.0 %" in text
    assert "\n| strong | 2 | 100.0 % (34-100) | 100.0 %" in text
    assert "\n| weak | 1 | 0.0 % (0-79) | 100.0 %" in text


def test_a_note_stands_below_the_head_of_the_page():
    sets = [outcome("null", "ball", 1, 1)]
    text = page(sets, "a command", ["Seed 4 was seen."])
    assert text.index("from Ward.") < text.index("\nSeed 4 was seen.\n")
    assert text.index("Seed 4 was seen.") < text.index("## Data without")
