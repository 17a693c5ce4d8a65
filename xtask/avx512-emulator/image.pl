# image.pl BUILT MEGABYTES COMMAND_LINE: from `program`, `arguments` and `environment` in the working directory, disk.img:
# the boot sector, low memory (zero page, command line, page tables), the kernel, the initramfs.
use strict;
use warnings;

my ($built, $megabytes, $command_line) = @ARGV;
sub slurp { open my $f, '<:raw', $_[0] or die "$_[0]: $!\n"; local $/; return scalar <$f> }
sub sectors { my $n = length $_[0]; return "$_[0]" . "\0" x (-$n % 512) }

# A `newc` archive (Documentation/driver-api/early-userspace/buffer-format.rst).
my ($inode, $initramfs) = (1, '');
sub entry {
  my ($name, $mode, $data) = @_;
  my @fields = ($inode++, $mode, 0, 0, 1, 0, length $data, 0, 0, 0, 0, 1 + length $name, 0);
  $initramfs .= '070701' . join '', map { sprintf '%08x', $_ } @fields;
  for my $part ("$name\0", $data) {
    $initramfs .= $part;
    $initramfs .= "\0" x (-length($initramfs) % 4);
  }
}
entry('init', 0100755, slurp("$built/init"));
entry($_, 0100755, slurp($_)) for qw(program arguments environment);
entry('TRAILER!!!', 0, '');

my ($base, $start, $kernel_size) = split ' ', slurp("$built/kernel.addr");
my $memory = $megabytes << 20;
# Behind the kernel and what it takes for itself, 64 MiB; unpacked, the archive needs its own size once more.
my $at = ($base + 0x4000000 + 0x1fffff) & ~0x1fffff;
die "the program is too large for $megabytes MiB of memory\n" if $at + 2 * length($initramfs) + 0x1000000 > $memory;
die "the command line is too long\n" if length $command_line > 2000;

# The zero page, as Documentation/x86/zero-page.rst lays it out.
my $zero_page = "\0" x 4096;
my $header = slurp("$built/setup.header");
substr($zero_page, 0x1f1, length $header) = $header;
substr($zero_page, 0x210, 1) = "\xff";                                  # an unknown boot loader
substr($zero_page, 0x218, 8) = pack 'VV', $at, length $initramfs;
substr($zero_page, 0x228, 4) = pack 'V', 0x11000;                       # the command line
my @map = ([0, 0x9f000, 1], [0xf0000, 0x10000, 2], [0x100000, $memory - 0x200000, 1], [$memory - 0x100000, 0x100000, 3]);
substr($zero_page, 0x1e8, 1) = chr @map;
substr($zero_page, 0x2d0, 20 * @map) = join '', map { pack 'QQV', @$_ } @map;

# At 0x12000 three levels of page tables: the first GiB, mapped to itself.
my $low = $zero_page . pack('a4096', $command_line);
$low .= pack('Q', 0x13003) . "\0" x 4088;
$low .= pack('Q', 0x14003) . "\0" x 4088;
$low .= pack 'Q512', map { ($_ << 21) | 0x83 } 0 .. 511;

my ($disk, @table) = (slurp("$built/boot.bin"));
for my $piece ([$low, 0x10000], [slurp("$built/kernel.flat"), $base], [$initramfs, $at]) {
  my $data = sectors($piece->[0]);
  push @table, length($disk) / 512, length($data) / 512, $piece->[1];
  $disk .= $data;
}
substr($disk, 0x1c0, 40) = pack 'V10', $start, @table;
$disk .= "\0" x (-length($disk) % 516096); # whole cylinders
open my $out, '>:raw', 'disk.img' or die "disk.img: $!\n";
print $out $disk;
close $out or die "disk.img: $!\n";
