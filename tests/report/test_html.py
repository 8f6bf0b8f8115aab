"""The page as text: escaped, complete, small, the same every time."""

import base64
import hashlib
import html
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from report_data import HOSTILE, hostile, mixture

import stablek
import stablek.report
from stablek.api.choose_k import choose_k
from stablek.panel.item_words import elsewhere_sentence
from stablek.report import Failed, render, write_report
from stablek.report.page.hero import disagreement, doubtful_items, hero
from stablek.report.page.repeat import command_of, python_of
from stablek.results.result import Result
from stablek.results.verdict import Level, Verdict

SOURCES = Path(stablek.report.__file__).parent
VOID = {"meta", "img", "input", "br", "col", "td"}


class Tree(HTMLParser):
    """Reads a page: checks that tags are closed, keeps text and attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            self.attributes.append((tag, name, value or ""))
            if name == "id":
                self.ids.append(value)
        if tag not in VOID and tag not in {"tr"}:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        for name, value in attrs:
            self.attributes.append((tag, name, value or ""))

    def handle_endtag(self, tag):
        if tag in VOID or tag == "tr":
            return
        assert self.open, tag
        assert self.open.pop() == tag, tag


def read(text: str) -> Tree:
    tree = Tree()
    tree.feed(text)
    assert tree.open == []
    return tree


ITEMS = {
    "cluster": np.array([1, 2]),
    "consensus": np.array([1.0, 0.5]),
    "runner_up": np.array([2, 1]),
    "runner_up_consensus": np.array([0.0, 0.4]),
    "between": np.array([False, True]),
    "isolated": np.array([False, False]),
}


def judged(**more) -> Verdict:
    """Return a verdict with every part."""
    made = {
        "sentence": "There are 3 clusters; five of five agree.",
        "k": 3,
        "best_guess": 3,
        "strength": "strong",
        "evidence": "Right in 9 of 10.",
        "dissent": ("wcss says 4: <b>its knee is shallow</b>",),
        "plausible": {3: 0.9, 6: 0.1},
        "levels": (Level(3, 0.9, main=True), Level(6, 0.1, main=False)),
        "cluster_records": (
            {"cluster": 1, "jaccard": 0.98}, {"cluster": 2, "jaccard": None},
        ),
        "labels": np.array([1, 2]),
        "ids": ("<i>a</i>", "torn"),
        "n": 2,
        "item_columns": ITEMS,
        "next_steps": ("Look at item 7.",),
        "settings": {"repeats": 40, "null_sets": 19},
        "seed": 3,
    }  # fmt: skip
    return Verdict(**{**made, **more})


def test_a_page_is_well_formed_and_its_ids_are_unique(fc, gap):
    tree = read(render([fc, gap, Failed("clest", "hier-a", "no")], verdict=judged()))
    assert len(tree.ids) == len(set(tree.ids))


def test_levels_that_the_slider_has_are_links_to_it(fc):
    page = render(fc, verdict=judged())
    assert '<a href="#r1-look" data-to="3">3 groups</a>' in page
    other = render(
        fc, verdict=judged(levels=(Level(3, 0.9, True), Level(99, 0.1, False)))
    )
    assert "<b>99 groups</b>" in other


def test_every_link_of_the_page_leads_somewhere(fc, gap):
    tree = read(render([fc, gap], verdict=judged()))
    targets = [value for tag, name, value in tree.attributes if name == "href"]
    assert targets
    assert {target[1:] for target in targets} <= set(tree.ids)


def test_nothing_points_outside_the_page(fc, gap):
    tree = read(render([fc, gap]))
    for tag, name, value in tree.attributes:
        if name in ("src", "href", "action", "data", "xlink:href", "srcset"):
            assert value.startswith(("#", "data:image/png;base64,")), (tag, name, value)


def test_hostile_text_from_data_stays_text():
    data = hostile()
    result = choose_k(data, "fc", "hier-a", range(2, 6), repeats=20)
    failed = Failed(HOSTILE[1], HOSTILE[2], HOSTILE[0])
    page = render([result, failed], title=HOSTILE[1])
    tree = read(page)
    names = {name for _, name, _ in tree.attributes}
    assert not {name for name in names if name.startswith("on")}
    assert page.count("<script") == 2
    assert page.count("</script") == 2
    assert "49{% raw" not in page
    for text in HOSTILE:
        assert text in html.unescape(page)


def test_the_policy_names_the_script_and_no_other(fc):
    page = render(fc)
    script = re.search(r"<script>(.*?)</script>", page, re.S)[1]
    wanted = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = html.unescape(re.search(r'Security-Policy" content="([^"]*)"', page)[1])
    assert policy == (
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
        f"script-src 'sha256-{wanted}'; base-uri 'none'; form-action 'none'"
    )


def test_templates_never_declare_text_safe_and_quote_every_attribute():
    for file in SOURCES.rglob("*"):
        if file.suffix in (".py", ".j2", ".js", ".css"):
            text = file.read_text(encoding="utf-8")
            assert not re.search(r"\|\s*safe\b|Markup\(|autoescape\s*=\s*False", text)
    template = (SOURCES / "page" / "templates" / "report.html.j2").read_text(
        encoding="utf-8"
    )
    assert not re.search(r"[\w-]=\{\{", template)
    script = (SOURCES / "page" / "templates" / "script.js").read_text(encoding="utf-8")
    unsafe = r"innerHTML|outerHTML|insertAdjacentHTML|eval\(|document\.write"
    assert not re.search(unsafe, script)
    assert not re.search(r"\{\{|\{%|\{#", script)


def test_equal_results_give_equal_bytes_without_date_or_path(fc, tmp_path):
    one = write_report(fc, tmp_path / "one.html").read_bytes()
    again = choose_k(mixture(), "fc", "hier-a", range(2, 8), repeats=30, jobs=1)
    (tmp_path / "other").mkdir()
    two = write_report(again, tmp_path / "other" / "two.html").read_bytes()
    assert one == two
    assert str(tmp_path).encode() not in one
    assert not list(tmp_path.glob(".*"))


def test_the_numbers_of_a_result_can_be_read_from_the_page(fc):
    page = render(fc)
    island = json.loads(re.search(r'id="island">(.*?)</script>', page, re.S)[1])
    found = island["results"][0]
    assert found["k_star"] == fc.k_star
    assert found["columns"]["area"] == pytest.approx(fc.columns["area"].tolist())
    labels = island["looks"]["r1"]["labels"][str(fc.k_star)]
    assert [int(c) + 1 for c in labels] == fc.labels.tolist()


def test_the_answer_stands_first(fc):
    page = render(fc)
    head = page[page.index("<main") : page.index("<section")]
    assert f"<strong>{fc.k_star}</strong>" in head
    assert html.escape(fc.sentence, quote=False) in head


def places(page, *texts):
    return [page.index(text) for text in texts]


def test_the_map_of_the_items_stands_before_markers_and_curves(fc, tmp_path):
    """The first thing that people look for is the scatter of the items."""
    found = stablek.verdict(mixture(60), ks=range(2, 6), repeats=10, null_sets=19)
    page = found.report(tmp_path / "report.html").read_text(encoding="utf-8")
    order = places(
        page, "How plausible is each k?", "<h3>Items by cluster", "Consensus matrix",
        ">What sets the clusters apart</h2>", ">All k side by side</h2>",
        ">Merging and splitting</h3>",
        ">Trust per cluster</h3>", ">The curve</h2>",
    )  # fmt: skip
    assert order == sorted(order)
    page = render(fc)
    order = places(page, "<h3>Items by cluster", "Consensus matrix", "<h3>Delta")
    assert order == sorted(order)


def test_a_consensus_result_shows_every_figure_it_can(fc):
    page = render(fc)
    for title in (
        "Delta", "Consensus matrix", "Items by cluster", "Items by trust",
        "Distribution of consensus", "Merging and splitting", "Trust per cluster",
        "Trust per item, the least certain first", "The numbers, one row per k",
        "On the command line", "BibTeX",
    ):  # fmt: skip
        assert title in page, title
    assert page.count('class="heat') >= len(fc.ks)


def test_gap_shows_its_two_curves_with_the_null_band(gap):
    page = render(gap)
    assert "Gap over k" in page
    assert "5 to 95 % of null sets" in page


def test_model_explorer_shows_a_histogram_for_every_k(me):
    page = render(me)
    assert page.count("Distribution of the statistic over repeats at k =") == len(me.ks)


def test_a_failed_measure_shows_its_error_in_its_place_and_the_rest_stands(fc):
    page = render([fc, Failed("clest", "kmeans-r", "k = 40 exceeds 38 rows")])
    assert 'role="alert"' in page
    assert "k = 40 exceeds 38 rows" in page
    assert "Consensus matrix" in page
    assert "1 of 2 failed" in page


def test_a_page_of_failures_alone_still_opens():
    read(render([Failed("fc", "hier-a", "no space left")]))


def test_every_part_of_a_verdict_is_shown_and_none_is_needed(fc, gap):
    page = html.unescape(render([fc, gap], verdict=judged()))
    told = judged()
    for text in (
        told.sentence, told.strength, told.evidence, told.dissent[0],
        told.next_steps[0],
        "How plausible is each k?", "jaccard", "<i>a</i>",
        "stablek verdict mixture.tsv -k 2:7 --repeats 40 --null-sets 19 --seed 3",
        "stablek.verdict(X, ks=range(2, 8), repeats=40, null_sets=19, seed=3)",
    ):  # fmt: skip
        assert text in page, text
    bare = Verdict(k=3, sentence="Three.", strength="weak", labels=np.ones(2, int))
    read(render([fc, gap], verdict=bare))


def test_a_verdict_repeats_with_the_data_and_settings_that_were_given(fc):
    page = html.unescape(render(fc, verdict=judged()))
    told = judged()
    assert f"<dd><bdi>{told.n:,} \u00d7 {told.m:,}</bdi></dd>" in page
    assert "<h3>The verdict</h3>" in page
    assert "the panel's choice" not in page


@pytest.mark.parametrize(
    ("between", "told"),
    [
        ([], "none; every judged item clearly belongs to one cluster"),
        ([1], "s1 lies between clusters"),
        ([1, 2], "s1 and s2 lie between clusters"),
        (range(7), "s0, s1, s2, s3, s4 and 2 more lie between clusters"),
    ],
)
def test_the_first_screen_names_the_doubtful_items(between, told):
    columns = {
        "consensus": np.ones(9),
        "runner_up_consensus": np.zeros(9),
        "between": np.isin(np.arange(9), list(between)),
    }
    spoken = replace(
        judged(),
        ids=tuple(f"s{i}" for i in range(9)),
        cluster_records=({"cluster": 1},),
        item_columns=columns,
    )
    assert doubtful_items(spoken) == told


def test_items_that_are_mostly_in_another_cluster_are_not_said_to_be_between(fc):
    columns = {
        "consensus": np.array([0.02, 0.5, 0.9]),
        "runner_up_consensus": np.array([1.0, 0.4, 0.0]),
        "between": np.array([True, True, False]),
    }
    told = elsewhere_sentence(["58"])
    spoken = judged(
        ids=("58", "s1", "s2"), item_columns=columns, dissent=(told,),
        labels=np.array([1, 2, 2]), n=3,
    )  # fmt: skip
    assert doubtful_items(spoken) == (
        "58 is in another cluster in most subsamples; s1 lies between clusters"
    )
    page = render(fc, verdict=spoken)
    assert page.count("in another cluster in most subsamples") == 1
    page = render(fc, verdict=spoken, anonymous=True)
    assert page.count("in another cluster in most subsamples") == 1
    assert "1 is in another cluster" in page
    assert "58" not in disagreement(spoken)
    untold = replace(spoken, cluster_records=())
    assert disagreement(untold) == (told,)


def test_the_headline_stands_on_top_and_the_rest_below(fc):
    spoken = judged(
        sentence="3 clusters. item-7 odd. all even.", headline="3 clusters.",
        details=("item-7 odd.", "all even."), ids=fc.data.item_ids(),
        n=60, labels=fc.labels,
        item_columns={name: np.resize(column, 60) for name, column in ITEMS.items()},
    )  # fmt: skip
    page = render(fc, verdict=spoken)
    assert '<p class="sentence">3 clusters.</p>' in page
    told = page.partition("More about this answer")[2].partition("</ul>")[0]
    assert re.findall("<li>(.*?)</li>", told)[1:] == ["all even."]
    assert "<li>item 8 odd.</li>" in render(fc, verdict=spoken, anonymous=True)


def test_a_number_that_the_user_chose_does_not_look_like_a_finding(fc):
    assert hero([fc], judged(plausible={3: 1.0}), "x").unit == "clusters, as you asked"
    assert hero([fc], judged(), "x").unit == "clusters"


def test_several_results_are_counted_and_division_is_said(fc):
    def saying(k):
        return Result(**{**fields(fc), "k_star": k, "measure": f"m{k}", "cube": None})

    assert "The measures are divided" in render([saying(2), saying(3)])
    assert "the answer of 2 of 3 runs" in render([saying(3), saying(3), saying(2)])
    few = render([saying(3), saying(3), saying(2), saying(4)])
    assert "k = 3 is chosen most often, by 2 of 4 runs" in few
    assert "no majority" in few
    assert "No measure chooses a k" in render([saying(None), saying(None)])


def fields(result: Result) -> dict:
    return {name: getattr(result, name) for name in result.__dataclass_fields__}


@pytest.mark.parametrize("k", [None, 1])
def test_no_answer_and_no_clusters_are_answers(fc, k):
    result = Result(**{**fields(fc), "k_star": k, "candidates": (), "labels": None})
    page = render(result)
    read(page)
    assert ("no evidence of clusters" if k == 1 else "no indication") in page


def test_a_result_read_from_json_gives_curves_and_tables(fc, tmp_path):
    fc.to_json(tmp_path / "result.json")
    page = render(Result.from_json(tmp_path / "result.json"))
    assert "The numbers, one row per k" in page
    assert "Consensus matrix" not in page


def test_an_anonymous_page_holds_no_id_class_or_name():
    ids = tuple(f"patient-{i}" for i in range(60))
    classes = tuple(("sick", "healthy", "unsure")[i % 3] for i in range(60))
    data = mixture(60, ids, classes=classes, name="secret.tsv", notes=("secret note",))
    result = choose_k(data, "fc", "hier-a", range(2, 6), repeats=10)
    assert "patient-7" in render(result)
    page = render(result, anonymous=True)
    for word in ("patient-", "sick", "healthy", "unsure", "secret"):
        assert word not in page


def test_an_anonymous_verdict_names_no_item(fc):
    ids = fc.data.item_ids()
    naming = judged(
        ids=ids, n=60, labels=fc.labels,
        sentence="There are 3 clusters; item-7 and item-11 are isolated.",
        item_columns={name: np.resize(column, 60) for name, column in ITEMS.items()},
    )  # fmt: skip
    assert "item-7" in render(fc, verdict=naming)
    page = render(fc, verdict=naming, anonymous=True)
    assert "item-" not in page.replace("item-c", "")
    assert "item 8 and item 12 are isolated" in page


def test_items_of_a_verdict_stand_with_the_least_certain_first(fc):
    page = render(fc, verdict=judged(ids=("sure", "torn")))
    assert page.index("<bdi>torn") < page.index("<bdi>sure")


def test_items_that_were_not_judged_stand_last(fc):
    unknown = np.array([np.nan, 1.0])
    partly = {**ITEMS, "consensus": unknown, "runner_up_consensus": 0 * unknown}
    page = render(fc, verdict=judged(ids=("aside", "sure"), item_columns=partly))
    assert page.index("<bdi>sure") < page.index("<bdi>aside")


def test_the_page_says_on_how_many_items_a_verdict_rests(fc):
    cube = fc.cube.first(30)
    cube.labels = cube.labels.copy()
    cube.labels[..., 40:] = cube.missing
    some = replace(fc, cube=cube, facts={"judged": 40})
    page = render(some, verdict=judged(n=90))
    assert "judged on 60 of 90 items" in page
    assert "trust is known for the 40 items judged" in page
    assert "20 items were not judged: not in the matrix" in page
    copied = render(replace(some, facts={"judged": 30}))
    assert "trust is known for the 40 items judged, copies included" in copied
    assert "judged on" not in render(fc, verdict=judged(n=60))
    table = html.unescape(render(replace(some, facts={})))
    assert "20 items were not drawn" in table
    rows = re.findall(r"<bdi>item-(\d+)</bdi>", table)
    assert {int(i) for i in rows[-20:]} == set(range(40, 60))


def test_the_command_that_was_given_is_told_as_it_was(fc):
    given = ("verdict", "my genes.tsv", "--transpose", "--prepare", HOSTILE[1])
    page = render(fc, verdict=judged(), command=given)
    shown = html.unescape(page)
    assert "stablek verdict 'my genes.tsv' --transpose --prepare '</script>" in shown
    assert "stablek verdict mixture" not in shown
    assert "put together" not in page
    assert page.count("<script") == 2
    hidden = render(fc, verdict=judged(), command=given, anonymous=True)
    assert "genes" not in hidden
    assert "stablek verdict DATA -k 2:7" in hidden
    assert "does not include the options" in hidden


def test_the_python_line_says_what_was_done_to_the_data():
    data = mixture(notes=("transposed", "rows\nstandardised"))
    result = choose_k(data, "fc", "hier-a", range(2, 4), repeats=10)
    page = html.unescape(render(result))
    line = "# X: the values that were clustered, one item per row"
    noted = "; notes from reading it: transposed; rows standardised"
    assert f"{line}{noted}\nstablek.choose_k(X" in page
    hidden = html.unescape(render(result, anonymous=True))
    assert f"{line}\nstablek.choose_k(X" in hidden


def test_identical_rows_and_one_column_make_a_page():
    same = choose_k(np.ones((6, 2)))
    read(render(same))
    column = np.r_[np.arange(8.0), 50 + np.arange(8.0)].reshape(-1, 1)
    read(render(choose_k(column, "fc", ks=range(2, 5), repeats=10)))


def test_a_report_that_cannot_be_written_leaves_the_old_one(fc, tmp_path):
    with pytest.raises(OSError, match="absent"):
        write_report(fc, tmp_path / "absent" / "report.html")


@pytest.mark.parametrize("measure", ["composed", "fc"])
def test_the_call_on_the_page_gives_the_result_again(measure):
    values = mixture(30).values
    how = {"perturb": "noise"} if measure == "composed" else {}
    one = choose_k(values, measure, "hier-a", range(2, 5), repeats=6, jobs=1, **how)
    second = replace(one, measure=f"{one.measure}~2")
    for result in (one, second):
        again = eval(python_of(result), {"stablek": stablek, "X": values})  # noqa: S307
        assert again.to_dict()["columns"] == one.to_dict()["columns"]
        assert f"-m {measure} -a hier-a " in command_of(result)


def test_distances_are_not_said_to_have_columns(tmp_path):
    values = np.random.default_rng(0).normal(size=(3, 4))[np.arange(30) % 3] * 9
    values += np.random.default_rng(1).normal(size=values.shape)
    apart = np.sqrt(((values[:, None] - values) ** 2).sum(axis=-1))
    result = choose_k(
        apart, "fc", "hier-a", range(2, 5), metric="precomputed", repeats=9, jobs=1
    )
    found = stablek.verdict(apart, range(2, 5), metric="precomputed", null_sets=9)
    for made in (render([result]), found.report(tmp_path / "r.html").read_text()):
        assert ">distances of 30 items<" in made
        assert "0 items \u00d7 " not in made


def test_a_page_without_clusters_names_no_plausible_k_but_a_best_guess(tmp_path):
    noise = np.random.default_rng(0).normal(size=(60, 3))
    found = stablek.verdict(noise, range(2, 5))
    assert found.k == 1
    made = found.report(tmp_path / "r.html").read_text()
    assert "How plausible is each k?" not in made
    assert (
        f"If you must split them, the best guess is {found.best_guess} groups" in made
    )
    assert ">60 items \u00d7 3 columns<" in made
    assert "no evidence of" in made


def test_a_bar_that_is_not_the_heaviest_says_why_it_is_the_answer(fc):
    lighter = judged(plausible={3: 0.3, 6: 0.5, 7: 0.2}, votes={"a": 6, "b": 6, "c": 3})
    page = render(fc, verdict=lighter)
    why = "its clusters agree best with those at the other plausible k."
    assert f"k = 3 is not the heaviest bar; {why}" in page
    assert "The answer is k = 3; votes are part of the evidence." in page
    guessed = replace(lighter, k=1)
    assert f"3 is the best guess, though not the heaviest bar: {why}" in render(
        fc, verdict=guessed
    )
    heaviest = judged(votes={"a": 3, "b": 3, "c": 6})
    page = render(fc, verdict=heaviest)
    assert "heaviest bar" not in page
    assert "part of the evidence" not in page
    assert "k = 3 is the best guess." in render(fc, verdict=replace(heaviest, k=1))


def test_weights_and_votes_are_not_shown_where_gaps_decided(fc):
    votes = {"a": 3, "b": 3, "c": 6}
    page = render(fc, verdict=judged(votes=votes))
    assert "How plausible is each k?" in page
    assert "What the panel favours" in page
    page = render(fc, verdict=judged(votes=votes, facts={"shape": "connected"}))
    assert "How plausible is each k?" not in page
    assert "What the panel favours" not in page
