"""The lines of a text file, as often as they are needed."""

import codecs
import io
import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from stablek.errors import InputError
from stablek.io.readers.detect import encoding_of, known_encoding
from stablek.io.readers.source import Source

SAMPLE_CHARACTERS = 65536
SAMPLE_LINES = 200

MARKUP = {b"<!doctype html": "a web page", b"<html": "a web page", b"<?xml": "XML"}


@dataclass
class TextLines:
    """The numbered lines of a source, decoded strictly.

    Every line end (LF, CRLF, CR) counts. ``ended`` tells, after a whole pass, whether
    the last line had one: a file that was cut off usually has not.
    """

    source: Source
    encoding: str
    ended: bool = True

    def __iter__(self) -> Iterator[tuple[int, str]]:
        with (
            self.source.open() as stream,
            io.TextIOWrapper(stream, encoding=self.encoding, newline=None) as text,
        ):
            number = 0
            line = "\n"
            try:
                for number, line in enumerate(text, 1):
                    if "\0" in line:
                        raise InputError(
                            f"{self.source.label}: NUL byte in line {number}: "
                            "is the file damaged?"
                        )
                    plain = line[:-1] if line[-1] == "\n" else line
                    if number == 1 and plain.startswith("\ufeff"):
                        plain = plain[1:]
                    yield number, plain
            except UnicodeDecodeError as error:
                raise self.not_decodable(number + 1, error) from None
            self.ended = line.endswith("\n")

    def not_decodable(self, line: int, error: UnicodeDecodeError) -> InputError:
        """Return the error that names the first byte that is not of the encoding."""
        decoder = codecs.getincrementaldecoder(self.encoding)()
        position, ends = 0, 0
        with self.source.open() as stream:
            while chunk := stream.read(1 << 16):
                pending = len(decoder.getstate()[0])
                try:
                    decoder.decode(chunk)
                except UnicodeDecodeError as exact:
                    position += exact.start - pending
                    ends += chunk[: max(exact.start - pending, 0)].count(b"\n")
                    break
                position += len(chunk)
                ends += chunk.count(b"\n")
        name = "UTF-8" if self.encoding.startswith("utf-8") else self.encoding.upper()
        other = "latin-1" if name == "UTF-8" else "utf-8"
        place = f"at byte {position} (line {max(ends + 1, line)})"
        return InputError(
            f"{self.source.label} is not {name} {place}: name its encoding, such as "
            f"--encoding {other}"
        )


def text_lines(source: Source, encoding: str | None) -> TextLines:
    """Return the lines of a source in the encoding named, or else detected."""
    head = source.head()
    if not head:
        raise InputError(f"{source.label} is empty (0 bytes)")
    kind = source.binary_kind(head)
    if kind:
        hint = "decompress it first" if kind in ("ZIP", "Zstandard") else "export it"
        raise InputError(
            f"{source.label} is a {kind} file, not a table of text; {hint}"
        )
    start_of_text = head[:64].lstrip(b"\xef\xbb\xbf \r\n\t").lower()
    for mark, kind in MARKUP.items():
        if start_of_text.startswith(mark):
            raise InputError(
                f"{source.label} is {kind}, not a table; check the download"
            )
    if encoding is None:
        return TextLines(source, encoding_of(head, source.label))
    return TextLines(source, known_encoding(encoding))


def sample_of(lines: TextLines) -> list[tuple[int, str]]:
    """Return the first lines that are not blank: enough to tell what the file is."""
    sample: list[tuple[int, str]] = []
    size = 0
    filled = (pair for pair in lines if pair[1].strip())
    for pair in itertools.islice(filled, SAMPLE_LINES):
        sample.append(pair)
        size += len(pair[1])
        if size > SAMPLE_CHARACTERS and len(sample) > 3:
            break
    return sample
