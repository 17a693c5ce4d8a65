// A CUDA driver and an NVRTC without a GPU: kernels are built by the host's C++ compiler behind the shim of the
// intrinsics, and launches run their threads one after the other. Both libraries are this one file. What is under
// test is everything between them: options, loading, buffers, arguments, grids, records.
//
// FAKE_CUDA_DIR: a folder to write to; a text that is compiled leaves a .cpp there. FAKE_CUDA_VERSION: the driver's.
// FAKE_CUDA_SHIM: the shim's file. FAKE_CUDA_FAULT: what goes wrong.
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <atomic>
#include <fstream>
#include <sstream>
#include <string>

#define API extern "C" __attribute__((visibility("default")))

static std::string variable(const char *name) {
    const char *value = getenv(name);
    return value ? value : "";
}
static bool fault(const char *name) { return variable("FAKE_CUDA_FAULT") == name; }

// --- NVRTC: a "cubin" is the path of a shared library.
struct Program { std::string text, log, image; };

API int nvrtcVersion(int *major, int *minor) { *major = 13; *minor = 7; return 0; }
API int nvrtcGetNumSupportedArchs(int *n) { *n = 2; return 0; }
API int nvrtcGetSupportedArchs(int *list) { list[0] = 80; list[1] = 90; return 0; }
API const char *nvrtcGetErrorString(int code) { return code == 6 ? "NVRTC_ERROR_COMPILATION" : "NVRTC_ERROR"; }
API int nvrtcCreateProgram(Program **program, const char *text, const char *, int, const char *const *, const char *const *) {
    *program = new Program{text, "", ""};
    return 0;
}
API int nvrtcDestroyProgram(Program **program) { delete *program; *program = nullptr; return 0; }

// The numbers of the kernels' parameters, one a function in the text.
static std::string parameters(const std::string &text) {
    const std::string before = "__global__ void ";
    std::string functions;
    for (size_t at = text.find(before); at != std::string::npos; at = text.find(before, at + 1)) {
        size_t name = at + before.size(), open = text.find('(', name), end = text.find(')', open);
        int commas = 0;
        for (size_t i = open; i < end; ++i) commas += text[i] == ',';
        functions += "\nextern \"C\" int dc_parameters_" + text.substr(name, open - name) + "() { return " +
                     std::to_string(commas + 1) + "; }\n";
    }
    return functions;
}

API int nvrtcCompileProgram(Program *p, int n, const char *const *options) {
    static std::atomic<int> number{0};
    std::string all;
    for (int i = 0; i < n; ++i) all += std::string(options[i]) + " ";
    // The last of each counts; the strict ones must be there, and the architecture must be the device's.
    // A text that calls a function of the language is compiled with the language's defaults.
    const bool function = p->text.find("dc_same<") != std::string::npos;
    if (function && all.find("--fmad") != std::string::npos) { p->log = "a function has no option --fmad"; return 6; }
    for (const char *want : {"--gpu-architecture=sm_90", "--fmad=false", "--ftz=false", "--prec-div=true", "--prec-sqrt=true"}) {
        if (all.find(want) == std::string::npos) { p->log = std::string("no option ") + want; return 6; }
        if (function) break;
    }
    // A "cubin" of an earlier process is not written over.
    std::string base = variable("FAKE_CUDA_DIR") + "/" + std::to_string(getpid()) + "-" + std::to_string(number++);
    std::ofstream out(base + ".cpp");
    out << std::ifstream(variable("FAKE_CUDA_SHIM")).rdbuf() << p->text
        << parameters(p->text)
        << "extern \"C\" void dc_place(unsigned b, unsigned t, unsigned block, unsigned grid) {\n"
        << "    blockIdx.x = b; threadIdx.x = t; blockDim.x = block; gridDim.x = grid;\n}\n";
    out.close();
    // g++ contracts from -O2 up.
    std::string contract = fault("contracts") ? "-O2 -ffp-contract=fast " : "-O1 -ffp-contract=off ";
    std::string command = "g++ -std=c++17 -mfma -fPIC -shared -w " + contract + base + ".cpp -o " + base + ".so 2> " +
                          base + ".log";
    int status = system(command.c_str());
    std::stringstream log;
    log << std::ifstream(base + ".log").rdbuf();
    p->log = log.str();
    p->image = base + ".so";
    return status == 0 ? 0 : 6;
}
API int nvrtcGetProgramLogSize(Program *p, size_t *n) { *n = p->log.size() + 1; return 0; }
API int nvrtcGetProgramLog(Program *p, char *to) { strcpy(to, p->log.c_str()); return 0; }
API int nvrtcGetCUBINSize(Program *p, size_t *n) { *n = p->image.size() + 1; return 0; }
API int nvrtcGetCUBIN(Program *p, char *to) { strcpy(to, p->image.c_str()); return 0; }
API int nvrtcGetPTXSize(Program *, size_t *) { return 1; }
API int nvrtcGetPTX(Program *, char *) { return 1; }

// --- The driver. Any handle that is not used is 1.
static void *const HANDLE = (void *)1;

API int cuInit(unsigned) { return fault("no-device") ? 100 : 0; }
API int cuDriverGetVersion(int *version) {
    const std::string given = variable("FAKE_CUDA_VERSION");
    *version = given.empty() ? 13070 : atoi(given.c_str());
    return 0;
}
API int cuGetErrorName(int code, const char **name) {
    *name = code == 2 ? "CUDA_ERROR_OUT_OF_MEMORY" : code == 100 ? "CUDA_ERROR_NO_DEVICE" : "CUDA_ERROR_LAUNCH_FAILED";
    return 0;
}
API int cuGetErrorString(int code, const char **text) {
    *text = code == 2 ? "out of memory" : code == 100 ? "no CUDA-capable device is detected" : "unspecified launch failure";
    return 0;
}
API int cuDeviceGetCount(int *n) { *n = 1; return 0; }
API int cuDeviceGet(int *device, int) { *device = 0; return 0; }
API int cuDeviceGetName(char *name, int, int) { strcpy(name, "Fake GPU"); return 0; }
API int cuDeviceGetAttribute(int *value, int attribute, int) {
    // Compute capability 9.0, three multiprocessors, memory pools.
    *value = attribute == 75 ? 9 : attribute == 76 ? 0 : attribute == 16 ? 3 : attribute == 115 ? 1 : 0;
    return 0;
}
API int cuDevicePrimaryCtxRetain(void **context, int) { *context = HANDLE; return 0; }
API int cuDevicePrimaryCtxRelease_v2(int) { return 0; }
API int cuCtxGetCurrent(void **context) { *context = HANDLE; return 0; }
API int cuCtxSetCurrent(void *) { return 0; }
API int cuEventCreate(void **event, unsigned) { *event = HANDLE; return 0; }
API int cuEventRecord(void *, void *) { return 0; }
API int cuEventDestroy_v2(void *) { return 0; }
API int cuStreamCreate(void **stream, unsigned) { *stream = HANDLE; return 0; }
API int cuStreamDestroy_v2(void *) { return 0; }
API int cuStreamWaitEvent(void *, void *, unsigned) { return 0; }
API int cuStreamSynchronize(void *) { return fault("launch-fails") ? 719 : 0; }

// Memory with its size before it and a mark behind it: whatever writes past its end is found when it is freed.
static const uint64_t MARK = 0x0123456789abcdefULL;
API int cuMemAlloc_v2(uint64_t *address, size_t bytes) {
    if (fault("no-memory")) return 2;
    uint64_t *block = (uint64_t *)malloc(bytes + 16);
    block[0] = bytes;
    memcpy((char *)(block + 1) + bytes, &MARK, 8);
    *address = (uint64_t)(block + 1);
    return 0;
}
API int cuMemAllocAsync(uint64_t *address, size_t bytes, void *) { return cuMemAlloc_v2(address, bytes); }
API int cuMemFree_v2(uint64_t address) {
    uint64_t *block = (uint64_t *)address - 1;
    if (memcmp((char *)(block + 1) + block[0], &MARK, 8) != 0) {
        fprintf(stderr, "memory was written past its end\n");
        abort();
    }
    free(block);
    return 0;
}
API int cuMemFreeAsync(uint64_t address, void *) { return cuMemFree_v2(address); }
static bool outside(uint64_t address, size_t bytes) { return bytes > ((uint64_t *)address)[-1]; }
API int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *) {
    if (outside(to, bytes)) return 700;
    memcpy((void *)to, from, bytes);
    return 0;
}
API int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *) {
    if (outside(from, bytes)) return 700;
    memcpy(to, (void *)from, bytes);
    return 0;
}
API int cuMemsetD32Async(uint64_t to, unsigned value, size_t n, void *) {
    if (outside(to, 4 * n)) return 700;
    for (size_t i = 0; i < n; ++i) ((unsigned *)to)[i] = value;
    return 0;
}

API int cuModuleLoadData(void **module, const void *image) {
    *module = dlopen((const char *)image, RTLD_NOW | RTLD_LOCAL);
    return *module ? 0 : 200;
}
API int cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, void *, int, size_t, unsigned) {
    *blocks = 8;
    return 0;
}
// Never closed: functions of it may be in use.
API int cuModuleUnload(void *) { return 0; }
struct Function { void *code; void (*place)(unsigned, unsigned, unsigned, unsigned); int parameters; };
API int cuModuleGetFunction(Function **function, void *module, const char *name) {
    void *code = dlsym(module, name);
    if (!code) return 500;
    *function = new Function{code, (void (*)(unsigned, unsigned, unsigned, unsigned))dlsym(module, "dc_place"),
                             ((int (*)())dlsym(module, (std::string("dc_parameters_") + name).c_str()))()};
    return 0;
}

typedef uint64_t W;
API int cuLaunchKernel(Function *f, unsigned grid, unsigned, unsigned, unsigned block, unsigned, unsigned, unsigned, void *,
                       void **parameters, void **) {
    if (fault("does-nothing")) return 0;
    W a[64] = {0};
    if (f->parameters > 64) return 701;
    for (int i = 0; i < f->parameters; ++i) a[i] = *(W *)parameters[i];
    // Every parameter is a word; arguments that a function does not have do no harm in this calling convention.
    typedef void (*Code)(W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W,
                         W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W);
    for (unsigned b = 0; b < grid; ++b)
        for (unsigned t = 0; t < block; ++t) {
            if (fault("loses-a-thread") && b == 1 && t == 5) continue;
            f->place(b, t, block, grid);
            ((Code)f->code)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14],
                            a[15], a[16], a[17], a[18], a[19], a[20], a[21], a[22], a[23], a[24], a[25], a[26], a[27],
                            a[28], a[29], a[30], a[31], a[32], a[33], a[34], a[35], a[36], a[37], a[38], a[39], a[40],
                            a[41], a[42], a[43], a[44], a[45], a[46], a[47], a[48], a[49], a[50], a[51], a[52], a[53],
                            a[54], a[55], a[56], a[57], a[58], a[59], a[60], a[61], a[62], a[63]);
        }
    return 0;
}
