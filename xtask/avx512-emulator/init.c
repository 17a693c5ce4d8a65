// Process 1: runs /program; sends what it writes, and how it ended, through port 0xe9, in frames of a type, a length of
// four bytes, and that many bytes: `R` ready, `1` standard output, `2` standard error, `I` a note, `X` exit status.
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/io.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void put(const void *p, unsigned long n) {
  __asm__ volatile("rep outsb" : "+S"(p), "+c"(n) : "d"(0xe9) : "memory");
}

static void frame(unsigned char type, const void *p, unsigned n) {
  unsigned char head[5] = {type, n, n >> 8, n >> 16, n >> 24};
  put(head, 5);
  put(p, n);
}

// The strings of a file, each ended by a zero byte.
static void strings(const char *path, char **v, int max) {
  int fd = open(path, O_RDONLY), n = 0;
  struct stat s;
  if (fd >= 0 && fstat(fd, &s) == 0) {
    char *text = malloc(s.st_size + 1);
    long length = read(fd, text, s.st_size);
    for (long i = 0; i < length && n < max; i += strlen(text + i) + 1) v[n++] = text + i;
    close(fd);
  }
  v[n] = 0;
}

static void run(char **argv, char **envp, const int *out, const int *err) {
  int null = open("/dev/null", O_RDWR);
  dup2(null, 0);
  dup2(out[1], 1);
  dup2(err[1], 2);
  for (int fd = 3; fd < 16; fd++) close(fd);
  setsid();
  ioperm(0xe9, 1, 0);
  execve("/program", argv, envp);
  perror("avx512-emulator: the program cannot be executed");
  _exit(126);
}

int main(void) {
  static char *argv[4096], *envp[1024], text[65536];
  struct timespec begun, ended;
  if (ioperm(0xe9, 1, 1)) return 1;
  clock_gettime(CLOCK_BOOTTIME, &begun);
  frame('R', 0, 0);
  mkdir("/proc", 0755);
  mkdir("/sys", 0755);
  mkdir("/dev", 0755);
  mkdir("/tmp", 01777);
  mount("proc", "/proc", "proc", 0, 0);
  mount("sysfs", "/sys", "sysfs", 0, 0);
  mount("dev", "/dev", "devtmpfs", 0, 0);
  strings("/arguments", argv, 4095);
  strings("/environment", envp, 1023);
  int out[2], err[2], status = 0, gone = 0;
  if (pipe(out) || pipe(err)) return 1;
  pid_t pid = fork();
  if (pid == 0) run(argv, envp, out, err);
  close(out[1]);
  close(err[1]);

  struct pollfd from[2] = {{out[0], POLLIN, 0}, {err[0], POLLIN, 0}};
  while (from[0].fd >= 0 || from[1].fd >= 0) {
    int got = 0;
    // A process that it left behind may hold the pipes open: read what is there, then stop.
    if (!gone) gone = waitpid(pid, &status, WNOHANG) == pid;
    if (poll(from, 2, gone ? 0 : 100) > 0)
      for (int i = 0; i < 2; i++)
        if (from[i].fd >= 0 && from[i].revents) {
          long n = read(from[i].fd, text, sizeof text);
          if (n > 0) {
            frame('1' + i, text, n);
            got = 1;
          } else {
            from[i].fd = -1;
          }
        }
    if (gone && !got) break;
  }
  if (!gone) waitpid(pid, &status, 0);

  clock_gettime(CLOCK_BOOTTIME, &ended);
  struct rusage usage;
  getrusage(RUSAGE_CHILDREN, &usage);
  double seconds = ended.tv_sec - begun.tv_sec + (ended.tv_nsec - begun.tv_nsec) * 1e-9;
  int n = sprintf(text, "%.2f s of emulated time, %ld KiB of memory at most", seconds, usage.ru_maxrss);
  frame('I', text, n);
  unsigned code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  frame('X', &code, 4);
  for (;;) pause();
}
