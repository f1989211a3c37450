"""Path files by their ending, and files that cannot be read."""

import os

import pytest
from velocity_mobility_ros.core.path_files.path_data import PathError
from velocity_mobility_ros.core.path_files.reading import read_path


@pytest.mark.parametrize(
    ('name', 'text'),
    [
        ('p.csv', 'x,y,z\n0,0,0\n1,2,3\n'),
        ('p.CSV', '\ufeffx,y,z\n0,0,0\n1,2,3\n'),
        ('p.yaml', 'vertices: [[0, 0, 0], [1, 2, 3]]'),
        ('p.yml', 'vertices: [[0, 0, 0], [1, 2, 3]]'),
    ],
)
def test_a_file_is_read_by_its_ending(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text, encoding='utf-8')
    assert read_path(path).rows[1, :3].tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize(
    ('name', 'text'),
    [
        ('p.txt', 'p.txt: must end in .csv or .yaml or .yml'),
        ('p.csv', 'p.csv: no such file; name a path file'),
        ('folder.csv', 'folder.csv: is no regular file; name a path file'),
        ('pipe.csv', 'pipe.csv: is no regular file; name a path file'),
        ('odd.csv', 'odd.csv: is no text in UTF-8'),
        ('long' * 100 + '.csv', 'File name too long'),
        ('no\0name.csv', 'name a path file'),
    ],
)
def test_what_cannot_be_read_is_one_line(tmp_path, name, text):
    (tmp_path / 'folder.csv').mkdir()
    os.mkfifo(tmp_path / 'pipe.csv')
    (tmp_path / 'odd.csv').write_bytes(b'x,y,z\n\xff\xfe')
    with pytest.raises(PathError) as caught:
        read_path(tmp_path / name)
    assert text in str(caught.value)
