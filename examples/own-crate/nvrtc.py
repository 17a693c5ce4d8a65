"""Whether NVRTC compiles CUDA texts, with no GPU: python3 nvrtc.py FOLDER-OF-LIBNVRTC KERNEL.cu..."""

import ctypes, glob, sys
folder, *texts = sys.argv[1:]
for library in glob.glob(folder + "/libnvrtc-builtins.so*"):
    ctypes.CDLL(library)
nvrtc = ctypes.CDLL(glob.glob(folder + "/libnvrtc.so.*")[0])
options = (ctypes.c_char_p * 4)(b"--fmad=false", b"--ftz=false", b"--prec-div=true", b"--prec-sqrt=true")
for text in texts:
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    source = open(text, "rb").read()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), source, text.encode(), 0, None, None)
    code = nvrtc.nvrtcCompileProgram(program, 4, options)
    nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetProgramLog(program, log)
    print(text, "compiles" if code == 0 else "is refused", log.value.decode())
    if code != 0 or not source.strip():
        sys.exit(f"{text}: error {code}, {len(source)} bytes")
