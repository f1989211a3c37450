"""The reader of tutorials fails where a page and its programs differ, and types what is told."""

import pytest

from support import tutorial_reader
from support.pages import Block, blocks
from support.tutorial_reader import Press, pattern, plain, reader_of, steps

SHOWN = """\
...
run folder: runs/...-demo
...
"""


@pytest.fixture
def follow(tmp_path):
    """Return a function that follows a page of some text, and returns the reader's folder."""

    def call(text):
        page = tmp_path / 'page.md'
        page.write_text(text)
        with reader_of(str(page), tmp_path, 0) as reader:
            reader.follow()
        return tmp_path / 'desk'

    return call


@pytest.mark.parametrize(
    ('printed', 'is_shown'),
    [
        ('run folder: runs/1-demo\n', True),
        ('a\nb\nrun folder: runs/1-demo\nc\n', True),
        ('run folder: runs/1-pair\n', False),
        ('the run folder: runs/1-demo\n', False),
        ('', False),
    ],
)
def test_dots_stand_for_lines_and_for_what_differs_in_a_line(printed, is_shown):
    assert bool(pattern(SHOWN).fullmatch(printed)) is is_shown


def test_control_characters_and_empty_lines_do_not_count():
    assert plain('\x1b[1mbold\x1b[0m  \r\n\r\n[1] 4711\r\nend') == 'bold\nend\n'


def test_steps_are_in_the_order_of_the_page(tmp_path):
    page = tmp_path / 'page.md'
    page.write_text('```sh title="terminal 2"\ncat\n```\nPress ctrl-C in terminal 2, press `q`.\n')
    assert blocks(str(page), 'sh') == [Block(2, 'sh', 'cat\n', 'terminal 2')]
    assert steps(str(page))[1:] == [Press(4, '\x03', 'terminal 2'), Press(4, 'q', '')]


def test_one_shell_one_folder_files_and_python(follow):
    desk = follow("""
```yaml title="a.yaml"
x: 1
```
```sh
export WORD=kept
cat a.yaml
```
```text
x: 1
```
```sh
echo $WORD > b.txt
```
```python
print(open('b.txt').read())
```
```text
k...t
```
""")
    assert (desk / 'b.txt').read_text() == 'kept\n'


@pytest.mark.parametrize('program', [
    'echo begun; sleep 1000',
    # as if it took the shell a second to start the program
    "trap '' INT; echo begun; read -t 1 < /dev/tty; trap - INT; sleep 1000",
    # the same, where the new process has the terminal already
    "(trap '' INT; echo begun; read -t 1 < /dev/tty; trap - INT; exec sleep 1000)",
])
def test_what_goes_on_is_ended_by_the_key_that_the_page_names(follow, program):
    follow(f"""
```sh title="terminal 2"
{program}
```
```text
begun
```
Press ctrl-C in terminal 2.
```sh title="terminal 2"
echo over
```
```text
over
```
""")


@pytest.mark.parametrize(
    ('text', 'complaint'),
    [
        ('```sh\necho one\n```\n```text\ntwo\n```\n', 'the program printed\none'),
        ('```sh\necho one; echo two\n```\n```text\none\n```\n', 'the program printed\none\ntwo'),
        ('```sh\nfalse\n```\n', 'exit code 1'),
        ('```sh\nfalse\necho on\n```\n```text\non\n```\n', r"\['false: 1'\]"),
        ('```python\n1 / 0\n```\n', 'ZeroDivisionError'),
        ('```sh\nsleep 1000\n```\n```text\nnever\n```\n', 'up to now there is'),
    ],
)
def test_a_page_that_is_wrong_fails(follow, monkeypatch, text, complaint):
    if 'never' in text:
        monkeypatch.setattr(tutorial_reader, 'PATIENCE', 5.0)
    with pytest.raises(pytest.fail.Exception, match=complaint):
        follow(text)
