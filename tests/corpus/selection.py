"""What the corpus consists of: test modules of CPython, and the parts of its library below them.

Nothing is left out silently: a test module or a single test that cannot be compared is listed with
the reason. A name that the running interpreter does not have is simply not there.
"""

import fnmatch
import os
from importlib.util import find_spec

LIBRARY = """
    _collections_abc.py _compat_pickle.py _py_abc.py _pydatetime.py _pydecimal.py _pyio.py
    _strptime.py _weakrefset.py abc.py argparse.py ast.py asyncio base64.py bisect.py calendar.py
    cmd.py code.py codecs.py codeop.py collections colorsys.py concurrent configparser.py
    contextlib.py copy.py copyreg.py csv.py dataclasses.py datetime.py decimal.py difflib.py dis.py
    email enum.py filecmp.py fileinput.py fnmatch.py fractions.py functools.py genericpath.py
    getopt.py gettext.py glob.py graphlib.py gzip.py hashlib.py heapq.py hmac.py html http
    inspect.py io.py ipaddress.py json keyword.py linecache.py locale.py logging mailbox.py
    mimetypes.py ntpath.py nturl2path.py numbers.py opcode.py operator.py optparse.py os.py
    pathlib pathlib.py pickle.py pickletools.py pkgutil.py plistlib.py posixpath.py pprint.py
    queue.py quopri.py random.py re re.py reprlib.py sched.py secrets.py selectors.py shelve.py
    shlex.py shutil.py sre_compile.py sre_constants.py sre_parse.py stat.py statistics.py
    string.py stringprep.py struct.py symtable.py tabnanny.py tarfile.py tempfile.py textwrap.py
    threading.py timeit.py token.py tokenize.py tomllib traceback.py types.py typing.py unittest
    urllib uuid.py warnings.py weakref.py xml xmlrpc zipfile zipfile.py zoneinfo
""".split()
"""Files and directories of the standard library that run rewritten below the tests."""

QUICK = """
    test_abc test_argparse test_augassign test_base64 test_baseexception test_bdb test_binop
    test_bisect test_bool test_builtin test_class test_cmd test_codeop test_collections
    test_compare test_configparser test_contains test_contextlib test_copy test_coroutines test_csv
    test_dataclasses test_decorators test_defaultdict test_descr test_descrtut test_dict
    test_dictcomps test_dictviews test_difflib test_dynamic test_dynamicclassattribute test_enum
    test_enumerate test_except_star test_exception_group test_exception_hierarchy
    test_exception_variations test_exceptions test_extcall test_fnmatch test_format test_fractions
    test_frame test_fstring test_funcattrs test_functools test_future_stmt test_generator_stop
    test_generators test_genericclass test_genexps test_getopt test_gettext test_global
    test_grammar test_graphlib test_heapq test_html test_htmlparser test_index test_int_literal
    test_isinstance test_iter test_iterlen test_keyword test_keywordonlyarg test_linecache
    test_list test_listcomps test_metaclass test_named_expressions test_numeric_tower test_opcodes
    test_operator test_optparse test_ordered_dict test_patma test_pep646_syntax test_pkg
    test_positional_only_arg test_pow test_pprint test_print test_property test_raise test_range
    test_re test_reprlib test_richcmp test_scope test_secrets test_setcomps test_slice test_sort
    test_string test_string_literals test_strptime test_subclassinit test_super test_symtable
    test_syntax test_textwrap test_tomllib test_traceback test_type_aliases test_type_annotations
    test_type_params test_typing test_unary test_unpack test_unpack_ex test_urlparse test_userdict
    test_userlist test_weakset test_with test_yield_from
""".split()
"""Language features first, then libraries that are all Python; seconds each."""

LEFT_OUT = {
    "needs a display": "test_idle test_tcl test_tix test_tk test_tkinter test_ttk* test_turtle",
    "needs the network or starts servers": """
        test_asynchat test_asyncore test_docxmlrpc test_ftplib test_httplib test_httpservers
        test_imaplib test_nntplib test_poplib test_smtp* test_socket* test_ssl test_telnetlib
        test_urllib2* test_urllibnet test_wsgiref test_xmlrpc* test_robotparser""",
    "is about other processes, threads and signals, and takes minutes": """
        test_concurrent_futures test_multiprocessing* test_subprocess test_signal test_threading*
        test_fork1 test_wait* test_eintr test_pty test_openpty test_asyncio test_faulthandler
        test_thread* test_kqueue test_epoll test_devpoll test_poll test_select* test_interpreters
        test__xxsubinterpreters test__interp* test_importlib test_logging test_mailbox
        test_multibytecodec test_regrtest test_cmd_line* test_venv test_ensurepip test_compileall
        test_tracemalloc test_perf* test_pyrepl test_repl test_external_inspection test_queue""",
    "tests C code, builds or other programs": """
        test_capi test_cext test_check_c* test_cppext test_c_locale* test_clinic test_ctypes
        test_gdb test_embed test_freeze* test_launcher test_tools test_peg_generator test_lib2to3
        test_distutils test_asdl_parser test_dtrace test_bigmem test_bigaddrspace test_largefile
        test_zipfile64 test_winreg test_winconsoleio test_winsound test_msilib test_startfile
        test_ossaudiodev test_curses test_readline test_sqlite3 test_dbm* test_generated_cases
        test_android test_apple test_ios* test_free_threading test_str test_unicode_file*
        test_hashlib test_crypt test_buffer test_decimal test_tarfile test_zipfile* test_shutil
        test_zoneinfo test_support test_stable_abi_ctypes test_getpath test_lzma test_bz2
        test_codecmaps* test_unicodedata test_ucn""",
    "writes to the user's home": "test_site",
    "compares the disassembly of its own functions": "test_dis test_peepholer",
    "counts the events of a profiler, which sees every C function that is called": """
        test_sys_setprofile test_monitoring test_cprofile test_profile""",
    "asserts on the specialised bytecode of its own functions": """
        test_opcache test_optimizer test_type_cache""",
}
"""Test modules that are not compared, by reason. Patterns as in the shell."""

INCOMPARABLE = {
    "*.test_gc.GCTogglingTests.test_bug1055820?": "depends on which allocation starts a collection",
    "*.test_compile.TestSpecifics.test_uses_slice_instructions": "counts instructions",
    "*.test_trace.TestCoverage.test_coverage_ignore": "traces an import, and so the import hook",
    "*.TestGetClosureVars.*": "lists the builtins that a function refers to",
    "*.test_sys.SizeofTest.test_objecttypes": "measures the frame of a function of its own",
}
"""Single tests that see the rewriting because they look at code objects, not at behaviour."""


def full():
    """Every test module of the running interpreter that can be compared."""
    patterns = " ".join(LEFT_OUT.values()).split()
    return [
        name
        for name in _present()
        if not any(fnmatch.fnmatch(name, pattern) for pattern in patterns)
    ]


def quick():
    """The test modules that are compared every time."""
    present = set(_present())
    return [name for name in QUICK if name in present]


def is_comparable(test):
    """Whether the outcome of `test` (an id) has to be the same."""
    return not any(fnmatch.fnmatchcase(test, pattern) for pattern in INCOMPARABLE)


def _present():
    spec = find_spec("test.support")
    if spec is None or spec.origin is None:
        return []
    directory = os.path.dirname(os.path.dirname(spec.origin))
    names = {entry.removesuffix(".py") for entry in os.listdir(directory)}
    return sorted(name for name in names if name.startswith("test_") and name.isidentifier())
