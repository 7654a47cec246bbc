"""The dotted names that no repair may newly refer to, by what they do. Data only.

A name that begins with a dot is an attribute of anything; ``os.kill`` is also found at the end of a longer
name. ``bot.patch.policy.names.modules`` has whole modules.
"""


def words(text: str) -> frozenset[str]:
    """The words of a table that is written as one string."""
    return frozenset(text.split())


SKIPS = words(
    """
    pytest.skip pytest.xfail pytest.importorskip pytest.exit mark.skip mark.skipif mark.xfail unittest.skip
    unittest.skipIf unittest.skipUnless unittest.SkipTest case.SkipTest unittest.expectedFailure .skipTest
    nose.SkipTest outcomes.skip outcomes.xfail
    """
)
EXITS = words(
    """
    sys.exit os._exit os.abort os.kill os.killpg builtins.exit builtins.quit builtins.SystemExit
    signal.raise_signal _thread.interrupt_main _thread.exit ._exit .raise_signal .interrupt_main
    """
)
_EXECUTION = [
    f"{kind}{suffix}"
    for kind in ("exec", "spawn")
    for suffix in ("l", "le", "lp", "lpe", "v", "ve", "vp", "vpe")
]
EVALUATION = (
    words(
        """
        builtins.eval builtins.exec builtins.compile builtins.__import__ builtins.breakpoint builtins.help
        os.system os.popen os.fork os.forkpty os.posix_spawn os.posix_spawnp os.startfile
        asyncio.create_subprocess_exec asyncio.create_subprocess_shell asyncio.open_connection
        asyncio.start_server asyncio.open_unix_connection asyncio.start_unix_server types.CodeType
        typing.get_type_hints .subprocess_exec .subprocess_shell .create_subprocess_exec
        .create_subprocess_shell .create_connection .create_server .create_unix_connection
        .create_unix_server .create_datagram_endpoint .sock_connect .connect_read_pipe .connect_write_pipe
        .open_connection .start_server .add_signal_handler .resolve_name .load_module .exec_module
        .import_module .entry_points .dictConfig .fileConfig .Popen .check_output .check_call .getoutput
        .getstatusoutput .posix_spawn .posix_spawnp .forkpty .urlopen .urlretrieve .unsafe_load .full_load
        .unsafe_load_all .read_pickle .load_extension .enable_load_extension .runctx .run_path .run_module
        .run_code .runsource .runcode .interact .HTTPHandler yaml.load yaml.load_all yaml.Loader
        yaml.FullLoader .UnsafeLoader .CUnsafeLoader numpy.load torch.load pandas.eval numexpr.evaluate
        .getaddrinfo .getnameinfo .sock_sendall .sock_sendto .start_tls
        ._evaluate ._make_subprocess_transport ._getaddrinfo_debug ._ensure_resolved ._rmtree
        .SMTPHandler .SocketHandler .DatagramHandler .SysLogHandler
        """
    )
    | {f"os.{name}" for name in _EXECUTION}
    | {f".{name}" for name in _EXECUTION if len(name) > 5}
)
TAMPERING = words(
    """
    sys.modules sys._getframe sys.settrace sys.setprofile sys.meta_path sys.path_hooks sys.addaudithook
    sys._current_frames sys._current_exceptions sys._getframemodulename sys.monitoring sys.excepthook
    sys.unraisablehook sys.displayhook sys.breakpointhook sys.path_importer_cache sys.call_tracing
    sys.set_asyncgen_hooks sys.setswitchinterval sys.__stdout__ sys.__stderr__ inspect.stack
    inspect.currentframe inspect.trace inspect.getouterframes inspect.getinnerframes inspect.getargvalues
    inspect.getframeinfo inspect.getclosurevars inspect.getgeneratorlocals inspect.getcoroutinelocals
    logging.currentframe logging._srcfile gc.get_objects gc.get_referrers gc.get_referents gc.freeze
    gc.unfreeze gc.callbacks gc.disable atexit.register threading.settrace threading.setprofile
    threading.settrace_all_threads threading.setprofile_all_threads threading.excepthook threading._shutdown
    traceback.walk_stack traceback.walk_tb traceback.StackSummary traceback.TracebackException
    traceback.extract_stack traceback.print_stack traceback.format_stack os.write os.pwrite os.writev os.dup
    os.dup2 os.closerange os.sendfile os.setpgid os.setsid os.setuid os.setgid os.ptrace os.memfd_create
    signal.signal signal.setitimer signal.alarm signal.pthread_kill signal.pidfd_send_signal
    signal.siginterrupt signal.set_wakeup_fd fcntl.fcntl fcntl.ioctl resource.setrlimit resource.prlimit
    builtins.__builtins__ builtins.globals builtins.__loader__ builtins.__spec__ builtins.__build_class__
    .__builtins__ .__subclasses__ .__globals__ .__self__ .__loader__ .__spec__ .__import__ .__getattribute__
    .__base__ .__code__ .__closure__ .__func__ .__traceback__ .__reduce__ .__reduce_ex__
    .__init_subclass_globals__ .cell_contents .tb_frame .tb_next .f_back .f_globals .f_locals .f_builtins
    .f_code .f_trace .gi_frame .gi_code .cr_frame .cr_code .cr_await .ag_frame .ag_code .co_code .co_consts
    .configure_mock .reset_mock .attach_mock .mock_add_spec .mock_calls .method_calls .mock_reset
    .get_objects .get_referrers .currentframe ._getframe .getouterframes .getinnerframes .getargvalues
    .findCaller .stack_info .addSuccess .addTypeEqualityFunc .startTest .stopTest .add_reader .add_writer
    .sock_accept .sock_recv .sock_recv_into .sock_sendfile .f2py .rundocs .ctypeslib
    .walk_tb .walk_stack ._old_targets .pathmod ._current_frames .get_stack .settrace .setprofile .meta_path
    """
)
PLAIN_DUNDERS = words(
    """
    __name__ __class__ __doc__ __init__ __new__ __del__ __dict__ __slots__ __module__ __qualname__
    __annotations__ __version__ __all__ __file__ __author__ __path__ __package__ __debug__ __main__
    __post_init__ __init_subclass__ __len__ __iter__ __next__ __reversed__ __contains__ __getitem__
    __setitem__ __delitem__ __missing__ __length_hint__ __call__ __enter__ __exit__ __aenter__ __aexit__
    __aiter__ __anext__ __await__ __repr__ __str__ __bytes__ __format__ __hash__ __bool__ __int__ __float__
    __complex__ __index__ __round__ __trunc__ __floor__ __ceil__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__
    __add__ __sub__ __mul__ __truediv__ __floordiv__ __mod__ __divmod__ __pow__ __lshift__ __rshift__
    __and__ __or__ __xor__ __matmul__ __radd__ __rsub__ __rmul__ __rtruediv__ __rfloordiv__ __rmod__
    __rdivmod__ __rpow__ __rand__ __ror__ __rxor__ __iadd__ __isub__ __imul__ __itruediv__ __ifloordiv__
    __imod__ __iand__ __ior__ __ixor__ __neg__ __pos__ __abs__ __invert__ __cause__ __context__
    __suppress_context__ __notes__ __wrapped__ __defaults__ __kwdefaults__ __members__ __copy__ __deepcopy__
    __getattr__ __setattr__ __delattr__ __set__ __delete__ __set_name__ __class_getitem__ __fspath__
    __sizeof__ __dir__ __instancecheck__ __subclasscheck__ __subclasshook__ __origin__ __args__
    __match_args__ __getstate__ __setstate__ __getnewargs__ __prepare__ __mro__
    __mro_entries__ __bases__ __abstractmethods__ __html__ __array__ __table__ __tablename__ __unicode__
    __nonzero__ __metaclass__
    """
)
"""Names between double underscores that a repair may newly use; a person sees the others."""

FILE_CHANGES = words(
    """
    .write_text .write_bytes .unlink .rmdir .symlink_to .hardlink_to .chmod .rmtree .removedirs .touch .mkdir
    .makedirs .lchmod .link_to .copy_into .move_into .write_c14n .extractall .writestr .writepy .dump_stats
    .write_results .tofile .savetxt .savez .savez_compressed .to_csv .to_pickle .to_parquet .to_excel .to_hdf
    .savefig .memmap .open_memmap .genfromtxt .loadtxt
    """
)
"""Methods of paths, archives and others that change files, or fetch them; a person sees a new use."""

MOVES = words(".rename .replace")
"""Methods of paths that move files where they are given one argument alone."""

MOCKED = words(".return_value .side_effect .call_args .call_args_list .call_count")
"""Attributes of a test's stand-in that decide what it answers; a person sees a new use."""

TELLTALE_STRINGS = words(
    """
    /proc/ /home/sandbox /workspace __pycache__ sitecustomize usercustomize __globals__ __builtins__
    __subclasses__ __import__ __code__ __closure__ __self__ __loader__ __getattribute__ __reduce_ex__
    __traceback__ f_back f_locals f_globals tb_frame gi_frame cr_frame cell_contents
    """
)
"""Strings that nothing but tampering needs: the sandbox's own places, processes, bytecode, frames, hooks."""
