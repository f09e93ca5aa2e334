"""What the corpus consists of: test modules of CPython, and parts of its library under them.

Everything is named explicitly. A test module that cannot be compared is listed with the reason, so
that the list can be questioned; a module missing from the running interpreter is left out.
"""

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
