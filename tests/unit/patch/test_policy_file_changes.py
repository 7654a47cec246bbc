"""What opens or changes files goes to a person, however it is written; what only computes does not."""

from every_case import every_case

from bot.patch.apply import from_sources
from bot.patch.policy.gate import Policy, judge

SOURCE = """import gzip
import operator
import os
import pathlib
import shutil
import sqlite3
import sys
import tarfile
import tempfile
import zipfile
import xml.etree.ElementTree as ET


def total(name, tree):
    zipfile.ZipFile(name)
    tarfile.open(name)
    gzip.GzipFile(name)
    sqlite3.connect(name)
    shutil.rmtree(name)
    os.remove(name)
    open(name, "w")
    pathlib.Path(name).unlink()
    return 1
"""


def judged(line, *, old=""):
    new = (
        SOURCE.replace(f"    {old}\n", f"    {line}\n")
        if old
        else SOURCE.replace("    return", f"    {line}\n    return")
    )
    assert new != SOURCE
    return judge(from_sources({"cart.py": SOURCE}, {"cart.py": new}), {"cart.py": SOURCE}, Policy())


@every_case(
    "line",
    [
        "operator.methodcaller('rename', 'b')(pathlib.Path(name))",
        "operator.methodcaller('replace', 'b')(pathlib.Path(name))",
        "operator.methodcaller('replace', target='b')(pathlib.Path(name))",
        "operator.methodcaller('system', 'id')(name)",
        "operator.methodcaller('write', 'f')(tree)",
        "operator.methodcaller('open', 'w')(pathlib.Path(name))",
        "operator.methodcaller('extractall', 'b')(name)",
        "operator.attrgetter('rename')(pathlib.Path(name))('b')",
        "operator.attrgetter('path.system')(name)",
        "go = pathlib.Path(name).rename",
        "ET.ElementTree(name).write('b.xml')",
        "ET.ElementTree.write(tree, name)",
        "tree.write(name)",
        "tree.write_c14n(name)",
        "pathlib.Path(name).copy('b')",
        "pathlib.Path(name).move('b')",
        "pathlib.Path(name).move_into('b')",
        "pathlib.Path.copy(name, 'b')",
        "pathlib.Path(name).lchmod(1)",
        "name.extractall('b')",
        "name.writestr('b', 'c')",
        "name.to_csv('b')",
        "name.tofile('b')",
        "zipfile.ZipFile(name, 'w')",
        "zipfile.ZipFile(name, mode='a')",
        "zipfile.ZipFile(name, tree)",
        "tarfile.open(name, 'w:gz')",
        "tarfile.open(name, 'x|')",
        "gzip.GzipFile(name, 'wb')",
        "sqlite3.connect('other')",
        "tempfile.mkdtemp(dir='src')",
        "tempfile.mkdtemp('', '', 'src')",
        "tempfile.TemporaryDirectory(prefix='../src/')",
        "tempfile.NamedTemporaryFile('w', prefix=name)",
        "tempfile.TemporaryFile('w', 1, None, None, '', '', 'src')",
        "sys.stdout.buffer.raw.__init__(name, 'w')",
    ],
)
def test_a_new_change_of_files_is_for_a_person(line):
    assert judged(line).shown or judged(line).refused


@every_case(
    ("old", "line"),
    [
        ("zipfile.ZipFile(name)", "zipfile.ZipFile(name, 'w')"),
        ("tarfile.open(name)", "tarfile.open(name, 'w:xz')"),
        ("sqlite3.connect(name)", "sqlite3.connect('/tmp/other')"),
        ("shutil.rmtree(name)", "shutil.rmtree('src')"),
        ("os.remove(name)", "os.remove(tree)"),
        ('open(name, "w")', 'open("shop.py", "w")'),
        ("pathlib.Path(name).unlink()", "pathlib.Path(tree).unlink(name)"),
    ],
)
def test_other_arguments_to_what_changes_files_are_for_a_person(old, line):
    assert judged(line, old=old).shown


@every_case(
    "line",
    [
        "text = operator.methodcaller('replace', 'a', 'b')(name)",
        "text = operator.methodcaller('strip')(name)",
        "list(map(str.replace, [name], ['a'], ['b']))",
        "rows = name.copy()",
        "super().__init__(name)",
        "Base.__init__(name)",
        "zipfile.ZipFile(name)",
        "zipfile.ZipFile(name, 'r')",
        "gzip.GzipFile(name, 'rb')",
        "tempfile.mkdtemp()",
        "tempfile.NamedTemporaryFile('w', suffix='.txt')",
    ],
)
def test_what_changes_no_file_is_allowed(line):
    found = judged(line)
    assert (found.shown, found.refused) == ((), ())


def test_how_a_file_is_encoded_is_no_other_argument():
    found = judged('open(name, "w", encoding="utf-8")', old='open(name, "w")')
    assert (found.shown, found.refused) == ((), ())


def test_a_file_without_xml_may_write_to_what_is_open():
    source = SOURCE.replace("import xml.etree.ElementTree as ET\n", "")
    new = source.replace("    return", "    sys.stdout.write(name)\n    return")
    found = judge(from_sources({"cart.py": source}, {"cart.py": new}), {"cart.py": source}, Policy())
    assert (found.shown, found.refused) == ((), ())
