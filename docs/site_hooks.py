"""What the site has beside docs/: the files in config/, CONTRIBUTING.md, the verbs of `swarm`."""

import re
from pathlib import Path

import typer
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from soliton_encirclement_ros.cli.app import VERBS, app, load

SHIPPED = 'config'
GUIDE = 'CONTRIBUTING.md'
OUT_OF_DOCS = re.compile(rf'\]\((?:\.\./)+({SHIPPED}(?:/[^)]*)?|{GUIDE})\)')

CODE = re.compile(r'(?<=<code>)[^<]+(?=</code>)')
PART = re.compile(r'([/_.:=])(?=\w)')
"""Code within a line, and where a name may be broken."""

command = typer.main.get_command(app)
"""The command line with every verb loaded; the page of options is made from it."""
command.commands.update({name: load(name, None) for name in VERBS})


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add scenarios, vehicles, parameter files, and the guide to those who contribute."""
    top = Path(config.config_file_path).parent
    for path in (*sorted(top.joinpath(SHIPPED).rglob('*.yaml')), top / GUIDE):
        name = str(path.relative_to(top))
        files.append(File.generated(config, name, abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Let links into the repository lead to them; a folder is named only."""
    up = '../' * page.file.src_uri.count('/')
    if page.file.src_uri == GUIDE:
        markdown = markdown.replace('](docs/', '](')

    def site_link(hit: re.Match[str]) -> str:
        return f']({up}{hit[1]})' if files.get_file_from_path(hit[1]) else '](#)'

    return OUT_OF_DOCS.sub(site_link, markdown)


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Let names in tables break after a part of the name, and nowhere else (site.css)."""
    return CODE.sub(lambda hit: PART.sub(r'\1<wbr>', hit[0]), html)
