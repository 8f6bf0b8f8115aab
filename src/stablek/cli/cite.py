"""``stablek cite``: BibTeX of the methods."""

import click


@click.command("cite")
@click.argument("names", nargs=-1)
@click.option("--text", is_flag=True, help="Print plain text instead of BibTeX.")
def command(names: tuple[str, ...], *, text: bool) -> None:
    """Print BibTeX for NAMES: measures, algorithms, indices, or verdict.

    Without NAMES, print what to cite for stablek itself.

    Example: stablek cite fc kmeans-w >> references.bib
    """
    from stablek.measures.references import bibtex, entries_for

    wanted = names or ("stablek",)
    if text:
        for entry in entries_for(wanted, strict=True):
            click.echo(entry.text())
        return
    click.echo(bibtex(wanted), nl=False)
