"""The parts of CPython's own regular expression compiler that are used, on all versions alike."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    _constants: Any
    _parser: Any
    _compiler: Any
    _sre: Any
elif sys.version_info >= (3, 11):
    import _sre
    from re import _compiler, _constants, _parser
else:
    import _sre
    import sre_compile as _compiler
    import sre_constants as _constants
    import sre_parse as _parser

parse = _parser.parse
parse_template = _parser.parse_template
State = _parser.State
SubPattern = _parser.SubPattern
compile_tree = _compiler.compile
unicode_tolower = _sre.unicode_tolower
ascii_tolower = _sre.ascii_tolower

MAXREPEAT = _constants.MAXREPEAT
ANY = _constants.ANY
ASSERT = _constants.ASSERT
ASSERT_NOT = _constants.ASSERT_NOT
AT = _constants.AT
BRANCH = _constants.BRANCH
CATEGORY = _constants.CATEGORY
CATEGORY_WORD = _constants.CATEGORY_WORD
FAILURE = _constants.FAILURE
GROUPREF = _constants.GROUPREF
GROUPREF_EXISTS = _constants.GROUPREF_EXISTS
IN = _constants.IN
LITERAL = _constants.LITERAL
MAX_REPEAT = _constants.MAX_REPEAT
MIN_REPEAT = _constants.MIN_REPEAT
NEGATE = _constants.NEGATE
NOT_LITERAL = _constants.NOT_LITERAL
RANGE = _constants.RANGE
SUBPATTERN = _constants.SUBPATTERN
AT_BEGINNING = _constants.AT_BEGINNING
AT_BEGINNING_STRING = _constants.AT_BEGINNING_STRING
AT_BOUNDARY = _constants.AT_BOUNDARY
AT_NON_BOUNDARY = _constants.AT_NON_BOUNDARY
AT_END = _constants.AT_END
AT_END_STRING = _constants.AT_END_STRING
# Since 3.11.
ATOMIC_GROUP = getattr(_constants, "ATOMIC_GROUP", None)
POSSESSIVE_REPEAT = getattr(_constants, "POSSESSIVE_REPEAT", None)

IGNORECASE: int = _constants.SRE_FLAG_IGNORECASE
LOCALE: int = _constants.SRE_FLAG_LOCALE
MULTILINE: int = _constants.SRE_FLAG_MULTILINE
DOTALL: int = _constants.SRE_FLAG_DOTALL
UNICODE: int = _constants.SRE_FLAG_UNICODE
ASCII: int = _constants.SRE_FLAG_ASCII
TYPE_FLAGS: int = _parser.TYPE_FLAGS
