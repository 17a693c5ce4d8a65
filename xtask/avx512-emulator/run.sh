#!/usr/bin/env bash
# Runs a static Linux program on an emulated x86-64 processor that has AVX-512 F, CD, VL, DQ and BW.
#
#   run.sh CACHE_DIR PROGRAM [ARGS...]
#   run.sh CACHE_DIR --prepare            installs and builds what is cached, runs nothing
#
# The emulator is Debian's bochs. In it boots Debian's cloud kernel with an initramfs that holds the program alone: the
# kernel is unpacked on the host and put into memory by a boot sector of our own, as emulated time is dear (some 30
# million instructions a second). The program's output comes out as it is written. A boot takes about ten seconds.
#
# Exit status: the program's; 128 + N after signal N; 126 if it cannot be executed; 125 if the emulator cannot be set up,
# does not boot, or time runs out.
#
# Environment: AVX512_TIMEOUT   seconds for boot and program (600)
#              AVX512_VERBOSE   1: where the time went
#              AVX512_KEEP      1: leave the run's folder
# Variables that begin with RUST_, DC_ or CRUNCH_ are the program's too, but for CRUNCH_SKIP_LOG, which names a file here.
#
# | file         | what                                                              |
# |--------------|-------------------------------------------------------------------|
# | `kernel.pl`  | takes a kernel out of its bzImage                                 |
# | `boot.S`     | boot sector: loads kernel and initramfs, enters 64-bit mode       |
# | `init.c`     | process 1: runs the program, sends its output through port 0xe9   |
# | `image.pl`   | makes the disk of a run                                           |
# | `watch.pl`   | runs bochs, turns what comes out of port 0xe9 back into output    |
set -euo pipefail
die() {
  echo "avx512-emulator: $*" >&2
  exit 125
}
[ $# -ge 2 ] || die "usage: $0 CACHE_DIR PROGRAM [ARGS...]"
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1" || die "cannot make $1"
cache=$(cd "$1" && pwd)
shift
# The emulated CPU and its memory. What is known wrong in bochs 2.7: VGETMANT of subnormals and zeros, VCVTTPD2UQQ of
# numbers in (-1, 0), VCVTUQQ2PD on some ties, VPSRAVQ by 64 and more. We use the last, and mask its amounts.
cpu=corei7_skylake_x
memory=512

# --- what must be installed; of the displays on one of which bochs depends, the smallest
need=()
[ -x /usr/bin/bochs ] || need+=(bochs bochs-term)
ls /usr/lib/*/bochs/plugins/libbx_rfb_gui.so >/dev/null 2>&1 || need+=(bochs bochs-term)
[ -e /usr/share/bochs/BIOS-bochs-latest ] || need+=(bochsbios)
[ -e /usr/share/bochs/VGABIOS-lgpl-latest ] || need+=(vgabios)
built=$cache/$(cat "$here"/{run.sh,kernel.pl,boot.S,init.c,image.pl} | sha256sum | cut -c1-16)
if [ ! -e "$built" ]; then
  command -v perl >/dev/null || need+=(perl)
  command -v gcc >/dev/null || need+=(gcc)
  command -v ld >/dev/null || need+=(binutils)
  ls /usr/lib/*/libc.a >/dev/null 2>&1 || need+=(libc6-dev)
  # Kernels are compressed with one of these.
  command -v xz >/dev/null || need+=(xz-utils)
  command -v lz4 >/dev/null || need+=(lz4)
  command -v zstd >/dev/null || need+=(zstd)
fi
apt=(env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 -o APT::Sandbox::User=root)
[ "$(id -u)" = 0 ] || apt=(sudo -n "${apt[@]}")
kernel() { find "$cache" -maxdepth 1 -name 'linux-image-*.deb' | sort -V | tail -n 1; }

prepare() {
  log=$cache/install.log
  if [ ${#need[@]} -gt 0 ] || { [ ! -e "$built" ] && [ -z "$(kernel)" ]; }; then
    command -v apt-get >/dev/null || die "this is not Debian; install ${need[*]:-a Debian kernel package in $cache}"
    "${apt[@]}" update >"$log" 2>&1 </dev/null || echo "avx512-emulator: apt-get update failed; going on" >&2
  fi
  if [ ${#need[@]} -gt 0 ]; then
    "${apt[@]}" install -y --no-install-recommends "${need[@]}" >>"$log" 2>&1 </dev/null ||
      die "apt-get install ${need[*]} failed: $(tail -n 3 "$log")"
  fi
  [ ! -e "$built" ] || return 0

  if [ -z "$(kernel)" ]; then
    package=$(apt-cache depends linux-image-cloud-amd64 2>/dev/null | sed -n 's/.*Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1)
    [ -n "$package" ] || die "apt knows no kernel behind linux-image-cloud-amd64: is this Debian on x86-64?"
    (cd "$cache" && "${apt[@]}" download "$package" >>"$log" 2>&1 </dev/null) ||
      die "apt-get download $package failed: $(tail -n 3 "$log")"
  fi
  # Made in a folder of another name, so that what was interrupted is not taken for done.
  rm -rf "$built.new"
  mkdir "$built.new"
  cd "$built.new"
  dpkg-deb --fsys-tarfile "$(kernel)" | tar xf - --wildcards './boot/vmlinuz-*' || die "$(kernel) is damaged; remove it"
  perl "$here/kernel.pl" boot/vmlinuz-* || die "the kernel could not be unpacked"
  rm -r boot
  gcc -c -o boot.o "$here/boot.S" && ld -m elf_x86_64 -Ttext 0x7c00 --oformat binary -o boot.bin boot.o ||
    die "boot.S was not assembled"
  gcc -O2 -static -s -o init "$here/init.c" || die "init.c did not compile"
  cd "$cache"
  mv "$built.new" "$built"
}
(
  flock 9 || die "$cache/lock cannot be locked"
  prepare
) 9>"$cache/lock" || exit 125
[ "$1" != --prepare ] || exit 0

# --- one run
program=$1
shift
[ -f "$program" ] || die "no such file: $program"
program=$(readlink -f "$program")
if LC_ALL=C readelf -lW "$program" 2>/dev/null | grep -q INTERP; then
  die "$program is dynamically linked: build it with RUSTFLAGS='-C target-feature=+crt-static' and --target"
fi
run=$(mktemp -d "$cache/run.XXXXXX") || die "no temporary folder"
[ -n "${AVX512_KEEP:-}" ] || trap 'rm -rf "$run"' EXIT
cd "$run"
# Debug sections would be most of what has to be loaded.
strip --strip-debug -o program "$program" 2>/dev/null || cp "$program" program
printf '%s\0' "$program" "$@" >arguments
{
  printf '%s\0' PATH=/ HOME=/ TMPDIR=/tmp
  env -0 | grep -zE '^(RUST|DC|CRUNCH)_' | grep -zv '^CRUNCH_SKIP_LOG=' || true
} >environment
# Of the rest: no devices to look for, no defences, no self-tests. Kernel 6.1 does not boot with bochs's XSAVEC and
# XSAVES (features 321 and 323).
perl "$here/image.pl" "$built" "$memory" "console=ttyS0 quiet panic=0 mitigations=off nokaslr nosmp tsc=reliable \
acpi=off pci=off init_on_alloc=0 audit=0 lsm= random.trust_cpu=on nowatchdog rcupdate.rcu_expedited=1 cryptomgr.notests \
clearcpuid=321,323" || die "the disk could not be made"
cat >bochsrc <<END
config_interface: textconfig
display_library: rfb, options="timeout=0"
memory: guest=$memory, host=$memory
romimage: file=/usr/share/bochs/BIOS-bochs-latest
vgaromimage: file=/usr/share/bochs/VGABIOS-lgpl-latest
cpu: model=$cpu, count=1, ips=50000000, reset_on_triple_fault=0, ignore_bad_msrs=1
clock: sync=none, time0=utc
boot: disk
ata0: enabled=1, ioaddr1=0x1f0, ioaddr2=0x3f0, irq=14
ata0-master: type=disk, path="$run/disk.img", mode=flat, translation=lba
com1: enabled=1, mode=file, dev="$run/serial.out"
port_e9_hack: enabled=1
log: $run/bochs.log
panic: action=fatal
error: action=report
info: action=ignore
debug: action=ignore
sound: waveoutdrv=dummy
END
echo continue >commands # Debian's bochs has its debugger built in, and stops before the first instruction
# Of the displays that need no terminal there is only rfb, which listens on a port: in a network of its own, if it can be.
alone=()
unshare --net true 2>/dev/null && alone=(unshare --net)
"${alone[@]}" perl "$here/watch.pl" "${AVX512_TIMEOUT:-600}" "${AVX512_VERBOSE:-}"
