# kernel.pl BZIMAGE: into the working directory
#   setup.header   the header that the boot protocol wants copied
#   kernel.flat    the kernel as it lies in memory
#   kernel.addr    its address, its 32-bit-wide entry address, its size
# Offsets are those of the kernel's Documentation/x86/boot.rst and of ELF.
use strict;
use warnings;

sub slurp { open my $f, '<:raw', $_[0] or die "$_[0]: $!\n"; local $/; return scalar <$f> }
sub spill { my ($name, $data) = @_; open my $f, '>:raw', $name or die "$name: $!\n"; print $f $data; close $f or die "$name: $!\n" }

my $bz = slurp($ARGV[0]);
die "no bzImage\n" unless substr($bz, 0x202, 4) eq 'HdrS';
my $protected = 512 * (1 + unpack 'C', substr $bz, 0x1f1, 1);
my ($offset, $length) = unpack 'VV', substr $bz, 0x248, 8;
my $payload = substr $bz, $protected + $offset, $length;
my %tool = ('1f8b' => 'gzip', 'fd37' => 'xz', '0221' => 'lz4', '28b5' => 'zstd');
my $tool = $tool{unpack 'H4', $payload} or die "compressed in an unknown way\n";
# The payload's length counts the unpacked size that is put behind it: the tools complain, and are done by then.
open my $unpack, '|-', "$tool -dc >vmlinux 2>/dev/null" or die "$tool: $!\n";
binmode $unpack;
print $unpack $payload;
close $unpack;
my $elf = slurp('vmlinux');
unlink 'vmlinux';
die "$tool gave no 64-bit ELF file\n" unless substr($elf, 0, 5) eq "\x7fELF\2";

my ($entry, $table) = unpack 'QQ', substr $elf, 24, 16;
my ($size, $count) = unpack 'vv', substr $elf, 54, 4;
my ($base, $flat) = (undef, '');
for my $i (0 .. $count - 1) {
  my ($type, undef, $at, undef, $address, $bytes) = unpack 'VVQQQQ', substr $elf, $table + $i * $size, $size;
  next unless $type == 1; # PT_LOAD
  $base = $address unless defined $base;
  $flat .= "\0" x ($address - $base - length $flat);
  $flat .= substr $elf, $at, $bytes;
}
$flat .= "\0" x (-length($flat) % 512);
spill('kernel.flat', $flat);
spill('kernel.addr', sprintf "%d %d %d\n", $base, $entry & 0xffffffff, length $flat);
spill('setup.header', substr $bz, 0x1f1, 0x202 + unpack('C', substr $bz, 0x201, 1) - 0x1f1);
