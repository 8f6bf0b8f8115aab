"""Whom to cite: BibTeX entries of the methods, and which name rests on which.

``stablek cite NAME`` prints them; the report holds those of exactly what it used.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from stablek.errors import unknown_name


@dataclass(frozen=True)
class Entry:
    """One publication, with the fields BibTeX knows."""

    key: str
    kind: str
    author: str
    title: str
    year: int
    journal: str = ""
    booktitle: str = ""
    publisher: str = ""
    school: str = ""
    volume: str = ""
    number: str = ""
    pages: str = ""
    doi: str = ""
    note: str = ""

    def bibtex(self) -> str:
        """Return the entry as BibTeX."""
        names = (
            "author", "title", "journal", "booktitle", "publisher", "school", "year",
            "volume", "number", "pages", "doi", "note",
        )  # fmt: skip
        fields = [(name, str(getattr(self, name))) for name in names]
        body = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields if value)
        return f"@{self.kind}{{{self.key},\n{body}\n}}"

    def text(self) -> str:
        """Return the entry as a line to read."""
        where = self.journal or self.booktitle or self.publisher or self.school
        where += f" {self.volume}" if self.volume else ""
        where += f", {self.pages.replace('--', '-')}" if self.pages else ""
        title = self.title.replace("{", "").replace("}", "")
        authors = self.author.replace(" and ", "; ")
        return f"{authors} ({self.year}). {title}. {where}."


ENTRIES = {
    entry.key: entry
    for entry in (
        Entry("utro2011", "phdthesis", "Utro, Filippo",
              "Algorithms for internal validation clustering measures in the post "
              "genomic era", 2011, school="University of Palermo"),
        Entry("giancarlo2008", "article", "Giancarlo, R. and Scaturro, D. and Utro, F.",
              "Computational cluster validation for microarray data analysis: "
              "experimental assessment of {Clest}, {Consensus} {Clustering}, {Figure} "
              "of {Merit}, {Gap} {Statistics} and {Model} {Explorer}", 2008,
              journal="BMC Bioinformatics", volume="9", pages="462",
              doi="10.1186/1471-2105-9-462"),
        Entry("giancarlo2011", "article", "Giancarlo, R. and Utro, F.",
              "Speeding up the {Consensus} {Clustering} methodology for microarray "
              "data analysis", 2011, journal="Algorithms for Molecular Biology",
              volume="6", pages="1", doi="10.1186/1748-7188-6-1"),
        Entry("monti2003", "article",
              "Monti, S. and Tamayo, P. and Mesirov, J. and Golub, T.",
              "Consensus clustering: a resampling-based method for class discovery and "
              "visualization of gene expression microarray data", 2003,
              journal="Machine Learning", volume="52", pages="91--118",
              doi="10.1023/A:1023949509487"),
        Entry("senbabaoglu2014", "article",
              "Şenbabaoğlu, Y. and Michailidis, G. and Li, J. Z.",
              "Critical limitations of consensus clustering in class discovery", 2014,
              journal="Scientific Reports", volume="4", pages="6207",
              doi="10.1038/srep06207"),
        Entry("tibshirani2001", "article",
              "Tibshirani, R. and Walther, G. and Hastie, T.",
              "Estimating the number of clusters in a data set via the gap statistic",
              2001, journal="Journal of the Royal Statistical Society B", volume="63",
              pages="411--423", doi="10.1111/1467-9868.00293"),
        Entry("krzanowski1988", "article", "Krzanowski, W. J. and Lai, Y. T.",
              "A criterion for determining the number of groups in a data set using "
              "sum-of-squares clustering", 1988, journal="Biometrics", volume="44",
              pages="23--34", doi="10.2307/2531893"),
        Entry("hastie2009", "book", "Hastie, T. and Tibshirani, R. and Friedman, J.",
              "The Elements of Statistical Learning", 2009, publisher="Springer",
              doi="10.1007/978-0-387-84858-7"),
        Entry("satopaa2011", "inproceedings",
              "Satopää, V. and Albrecht, J. and Irwin, D. and Raghavan, B.",
              "Finding a {Kneedle} in a haystack: detecting knee points in system "
              "behavior", 2011, booktitle="ICDCS Workshops", pages="166--171",
              doi="10.1109/ICDCSW.2011.20"),
        Entry("yeung2001", "article",
              "Yeung, K. Y. and Haynor, D. R. and Ruzzo, W. L.",
              "Validating clustering for gene expression data", 2001,
              journal="Bioinformatics", volume="17", pages="309--318",
              doi="10.1093/bioinformatics/17.4.309"),
        Entry("dudoit2002", "article", "Dudoit, S. and Fridlyand, J.",
              "A prediction-based resampling method for estimating the number of "
              "clusters in a dataset", 2002, journal="Genome Biology", volume="3",
              pages="research0036", doi="10.1186/gb-2002-3-7-research0036"),
        Entry("dudoit2003", "article", "Dudoit, S. and Fridlyand, J.",
              "Bagging to improve the accuracy of a clustering procedure", 2003,
              journal="Bioinformatics", volume="19", pages="1090--1099",
              doi="10.1093/bioinformatics/btg038"),
        Entry("benhur2002", "inproceedings",
              "Ben-Hur, A. and Elisseeff, A. and Guyon, I.",
              "A stability based method for discovering structure in clustered data",
              2002, booktitle="Pacific Symposium on Biocomputing", pages="6--17",
              doi="10.1142/9789812799623_0002"),
        Entry("bertoni2007", "article", "Bertoni, A. and Valentini, G.",
              "Model order selection for bio-molecular data clustering", 2007,
              journal="BMC Bioinformatics", volume="8", number="Suppl 2", pages="S7",
              doi="10.1186/1471-2105-8-S2-S7"),
        Entry("levine2001", "article", "Levine, E. and Domany, E.",
              "Resampling method for unsupervised estimation of cluster validity", 2001,
              journal="Neural Computation", volume="13", pages="2573--2593",
              doi="10.1162/089976601753196030"),
        Entry("roth2002", "inproceedings",
              "Roth, V. and Lange, T. and Braun, M. and Buhmann, J.",
              "A resampling approach to cluster validation", 2002,
              booktitle="COMPSTAT", pages="123--128",
              doi="10.1007/978-3-642-57489-4_13"),
        Entry("breckenridge1989", "article", "Breckenridge, J. N.",
              "Replicating cluster analysis: method, consistency, and validity", 1989,
              journal="Multivariate Behavioral Research", volume="24",
              pages="147--161", doi="10.1207/s15327906mbr2402_1"),
        Entry("hubert1985", "article", "Hubert, L. and Arabie, P.",
              "Comparing partitions", 1985, journal="Journal of Classification",
              volume="2", pages="193--218", doi="10.1007/BF01908075"),
        Entry("fowlkes1983", "article", "Fowlkes, E. B. and Mallows, C. L.",
              "A method for comparing two hierarchical clusterings", 1983,
              journal="Journal of the American Statistical Association", volume="78",
              pages="553--569", doi="10.1080/01621459.1983.10478008"),
        Entry("rijsbergen1979", "book", "van Rijsbergen, C. J.",
              "Information Retrieval", 1979, publisher="Butterworths"),
        Entry("ward1963", "article", "Ward, J. H.",
              "Hierarchical grouping to optimize an objective function", 1963,
              journal="Journal of the American Statistical Association", volume="58",
              pages="236--244", doi="10.1080/01621459.1963.10500845"),
        Entry("mullner2011", "article", "Müllner, D.",
              "Modern hierarchical, agglomerative clustering algorithms", 2011,
              journal="arXiv", pages="1109.2378"),
        Entry("lloyd1982", "article", "Lloyd, S. P.",
              "Least squares quantization in {PCM}", 1982,
              journal="IEEE Transactions on Information Theory", volume="28",
              pages="129--137", doi="10.1109/TIT.1982.1056489"),
        Entry("sculley2010", "inproceedings", "Sculley, D.",
              "Web-scale k-means clustering", 2010, booktitle="WWW",
              pages="1177--1178", doi="10.1145/1772690.1772862"),
        Entry("lee1999", "article", "Lee, D. D. and Seung, H. S.",
              "Learning the parts of objects by non-negative matrix factorization",
              1999, journal="Nature", volume="401", pages="788--791",
              doi="10.1038/44565"),
        Entry("brunet2004", "article",
              "Brunet, J.-P. and Tamayo, P. and Golub, T. R. and Mesirov, J. P.",
              "Metagenes and molecular pattern discovery using matrix factorization",
              2004, journal="Proceedings of the National Academy of Sciences",
              volume="101", pages="4164--4169", doi="10.1073/pnas.0308531101"),
        Entry("kim2007", "article", "Kim, H. and Park, H.",
              "Sparse non-negative matrix factorizations via alternating "
              "non-negativity-constrained least squares for microarray data analysis",
              2007, journal="Bioinformatics", volume="23", pages="1495--1502",
              doi="10.1093/bioinformatics/btm134"),
        Entry("hennig2007", "article", "Hennig, C.",
              "Cluster-wise assessment of cluster stability", 2007,
              journal="Computational Statistics and Data Analysis", volume="52",
              pages="258--271", doi="10.1016/j.csda.2006.11.025"),
        Entry("john2020", "article",
              "John, C. R. and Watson, D. and Russ, D. and Goldmann, K. and others",
              "{M3C}: {Monte} {Carlo} reference-based consensus clustering", 2020,
              journal="Scientific Reports", volume="10", pages="1816",
              doi="10.1038/s41598-020-58766-1"),
    )
}  # fmt: skip

#: What a user may name, and the entries it rests on. The thesis stands behind all.
RESTS_ON: dict[str, tuple[str, ...]] = {
    "stablek": ("utro2011", "giancarlo2008"),
    "verdict": ("senbabaoglu2014", "john2020", "hennig2007"),
    "consensus": ("monti2003", "senbabaoglu2014"),
    "fc": ("giancarlo2011", "monti2003", "senbabaoglu2014"),
    "wcss": ("hastie2009", "satopaa2011"),
    "wcss-r": ("utro2011", "hastie2009"),
    "kl": ("krzanowski1988",),
    "gap-ps": ("tibshirani2001",),
    "gap-pc": ("tibshirani2001",),
    "gap-pr": ("tibshirani2001",),
    "g-gap": ("utro2011", "tibshirani2001"),
    "fom": ("yeung2001",),
    "fom-r": ("utro2011", "yeung2001"),
    "g-fom": ("utro2011", "yeung2001"),
    "diff-fom": ("utro2011", "yeung2001"),
    "clest": ("dudoit2002",),
    "me": ("benhur2002",),
    "mosram": ("bertoni2007",),
    "levine-domany": ("levine2001",),
    "composed": ("utro2011",),
    "roth": ("roth2002",),
    "brunet": ("brunet2004",),
    "replicating": ("breckenridge1989",),
    "bagclust1": ("dudoit2003",),
    "bagclust2": ("dudoit2003",),
    "adj": ("hubert1985",),
    "fm": ("fowlkes1983",),
    "f": ("rijsbergen1979",),
    "hier-a": ("mullner2011",),
    "hier-c": ("mullner2011",),
    "hier-s": ("mullner2011",),
    "hier-w": ("ward1963", "mullner2011"),
    "kmeans-r": ("lloyd1982",),
    "kmeans-a": ("lloyd1982", "mullner2011"),
    "kmeans-c": ("lloyd1982", "mullner2011"),
    "kmeans-s": ("lloyd1982", "mullner2011"),
    "kmeans-w": ("lloyd1982", "ward1963"),
    "kmeans-mb": ("sculley2010",),
    "nmf-r": ("lee1999", "brunet2004", "kim2007"),
    "nmf-a": ("lee1999", "brunet2004", "kim2007"),
    "nmf-c": ("lee1999", "brunet2004", "kim2007"),
    "nmf-s": ("lee1999", "brunet2004", "kim2007"),
    "nmf-i": ("lee1999", "brunet2004", "kim2007"),
    "nmf-w": ("lee1999", "brunet2004", "kim2007"),
}


def entries_for(names: Iterable[str], *, strict: bool = False) -> list[Entry]:
    """Return the entries behind some names, each once, in the order of the names.

    A name without entries (a user's own measure) is passed over unless ``strict``.

    Examples
    --------
    >>> [entry.key for entry in entries_for(["fc", "hier-a"])]
    ['giancarlo2011', 'monti2003', 'senbabaoglu2014', 'mullner2011']
    """
    keys: dict[str, None] = {}
    for name in names:
        if name not in RESTS_ON:
            if strict:
                raise unknown_name("name to cite", name, RESTS_ON)
            continue
        keys.update(dict.fromkeys(RESTS_ON[name]))
    return [ENTRIES[key] for key in keys]


def bibtex(names: Iterable[str]) -> str:
    """Return the BibTeX of some names; an unknown one is refused by name."""
    found = entries_for(names, strict=True)
    return "\n\n".join(entry.bibtex() for entry in found) + "\n"
