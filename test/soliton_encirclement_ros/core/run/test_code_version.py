"""The version of the code: every source counts, the place does not."""

import shutil

from soliton_encirclement_ros.core.run.run_folder import PACKAGES, code_version, digest_of


def plant(folder, **files):
    for name, text in files.items():
        path = folder / f'{name}.py'
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return {'package': folder}


def test_it_is_that_of_the_sources_of_both_packages(repository):
    assert code_version() == digest_of({name: repository / name for name in PACKAGES})
    assert len(code_version()) == 16


def test_the_same_files_elsewhere_have_the_same(tmp_path):
    here = plant(tmp_path / 'here', a='x = 1\n', b='')
    shutil.copytree(tmp_path / 'here', tmp_path / 'there')
    assert digest_of(here) == digest_of({'package': tmp_path / 'there'})


def test_every_change_shows(tmp_path):
    versions = {
        digest_of(plant(tmp_path / str(i), **files))
        for i, files in enumerate(
            [{'a': 'x'}, {'a': 'y'}, {'b': 'x'}, {'a': 'x', 'b': ''}, {'a': '', 'b': 'x'}]
        )
    }
    assert len(versions) == 5


def test_what_is_no_source_does_not_count(tmp_path):
    package = plant(tmp_path, a='x')
    before = digest_of(package)
    (tmp_path / 'a.pyc').write_text('compiled')
    assert digest_of(package) == before
