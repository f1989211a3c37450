"""Fast DDS as it is installed, and the files with settings that it reads."""

import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from xml.etree import ElementTree

from velocity_mobility_ros.core.errors import StartupError
from velocity_mobility_ros.core.network import Interface
from velocity_mobility_ros.core.shown import shown

OF_2, OF_3 = 'FASTRTPS_DEFAULT_PROFILES_FILE', 'FASTDDS_DEFAULT_PROFILES_FILE'
"""Variables that name a file with settings. Fast DDS 2 reads the first, 3 with ROS both."""

LIBRARY_2, LIBRARY_3 = 'libfastrtps.so', 'libfastdds.so'


def prefixes() -> list[Path]:
    """Return the folders in which ROS may be installed."""
    found = os.environ.get('AMENT_PREFIX_PATH', '').split(os.pathsep)
    return [Path(text) for text in (*found, sys.prefix) if text]


def library(name: str) -> Path | None:
    """Return a library on the path of the loader, or beside ROS, None if there is none."""
    search_path = os.environ.get('LD_LIBRARY_PATH', '').split(os.pathsep)
    folders = [Path(text) for text in search_path if text] + [one / 'lib' for one in prefixes()]
    return next((folder / name for folder in folders if (folder / name).exists()), None)


def profile_files() -> dict[str, Path]:
    """Return the files with settings that Fast DDS reads, by variable."""
    names = (OF_2,) if _is_2() else (OF_2, OF_3)
    return {name: Path(path) for name in names if (path := os.environ.get(name))}


def profile_warnings() -> list[str]:
    """Return what is wrong with files of settings, and those that are not read, a line each."""
    files = profile_files()
    faults = {name: _fault(path) for name, path in files.items()}
    lines = [
        f'{name}={shown(str(files[name]))} {fault}, and is ignored'
        for name, fault in faults.items()
        if fault
    ]
    if os.environ.get(OF_3) and not files:
        lines.append(f'{OF_3} is not read by Fast DDS 2, which is installed: set {OF_2}')
    return lines


def check_allowed_interfaces(found: Iterable[Interface]) -> None:
    """Refuse files of settings that allow only interfaces which are not here.

    Raises:
        StartupError: With them nobody is ever heard.
    """
    here = {text for one in found if one.is_usable for text in one[:2]}
    for name, path in profile_files().items():
        if _fault(path):
            continue
        allowed = sorted(_allowed_interfaces(ElementTree.parse(path).getroot()))
        if allowed and here.isdisjoint(allowed):
            raise StartupError(
                f'{name}={shown(str(path))} allows only {", ".join(allowed)}, and the interfaces '
                f'here are {", ".join(sorted(here)) or "down"}: nobody would ever be heard'
            )


def _is_2() -> bool:
    """Return whether Fast DDS 2 is installed, and no other."""
    return library(LIBRARY_2) is not None and library(LIBRARY_3) is None


def _fault(path: Path) -> str:
    """Return what is wrong with a file with settings, empty if nothing is known to be."""
    try:
        root = ElementTree.parse(path).getroot()
    except OSError:
        return 'is no file'
    except ElementTree.ParseError as error:
        return f'is no XML ({error})'
    return _unknown_tag(root)


def _unknown_tag(root: ElementTree.Element) -> str:
    """Return which tag Fast DDS does not know, in words; one suffices for it to drop the file.

    Its library holds each tag that it reads as a text of C.
    """
    installed = library(LIBRARY_2) or library(LIBRARY_3)
    known = installed.read_bytes() if installed else b''
    for tag in dict.fromkeys(map(_tag, root.iter())) if known else ():
        if f'{tag}\0'.encode() not in known:
            near = re.search(rb'(?i)\b' + re.escape(tag.encode()) + rb'(?=\0)', known)
            hint = f' (did you mean <{near[0].decode()}>?)' if near else ''
            return f'has a tag <{tag}> that Fast DDS does not know{hint}'
    return ''


def _tag(element: ElementTree.Element) -> str:
    """Return the tag of an element without its namespace."""
    return element.tag.rpartition('}')[2]


def _allowed_interfaces(root: ElementTree.Element) -> set[str]:
    """Return the names and addresses in the lists of allowed interfaces, by old and new tags."""
    found: set[str] = set()
    for element in root.iter():
        if _tag(element) == 'interfaceWhiteList':
            found |= {(child.text or '').strip() for child in element}
        elif _tag(element) == 'allowlist':
            found |= {child.get('name', '').strip() for child in element}
    return found - {''}
