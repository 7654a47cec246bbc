import pytest

from atomicfile import AtomicFile, read_lines, write_lines


@pytest.mark.parametrize("kind", [KeyError, RuntimeError, KeyboardInterrupt, ValueError, UnicodeError])
def test_errors_get_out_and_the_file_stays(tmp_path, kind):
    path = tmp_path / "x.txt"
    write_lines(path, ["old"])
    with pytest.raises(kind), AtomicFile(path, keep_backup=True) as file:
        file.write("half")
        raise kind("stop")
    assert read_lines(path) == ["old"]
    assert [entry.name for entry in tmp_path.iterdir()] == ["x.txt"]
