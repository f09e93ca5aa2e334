"""Whatever people write can be rewritten: the modules of the standard library, for a check."""

import ast
import sysconfig
import warnings
from pathlib import Path

import pytest

from pef.rewrite.transform import transform_module

MODULES = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))


@pytest.mark.parametrize("letter", sorted({module.name[0] for module in MODULES}))
def test_every_module_is_rewritten(letter):
    for module in MODULES:
        if module.name.startswith(letter):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = transform_module(ast.parse(module.read_bytes()), merging=True)
                compile(tree, module.name, "exec", dont_inherit=True)
