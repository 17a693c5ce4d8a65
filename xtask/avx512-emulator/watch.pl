# watch.pl SECONDS VERBOSE: runs bochs in the working directory, takes what comes out of its port 0xe9 apart (init.c tells
# how it is put together), and exits as the program in it did, or with 125.
use strict;
use warnings;
use IO::Select;
use Time::HiRes 'time';

my ($timeout, $verbose) = @ARGV;
my ($begun, $parent) = (time, getppid);
my (%at, $buffer);
pipe my $from, my $to or die "pipe: $!";
my $bochs = fork;
defined $bochs or die "fork: $!";
if (!$bochs) {
  setpgrp 0, 0;
  open STDIN, '<', '/dev/null';
  open STDOUT, '>&', $to;
  open STDERR, '>', 'bochs.err';
  exec qw(bochs -q -f bochsrc -rc commands) or exit 127;
}
close $to;

sub stop { kill 'KILL', $bochs; waitpid $bochs, 0 }
$SIG{$_} = sub { stop(); exit 125 } for qw(INT TERM HUP);
$SIG{PIPE} = 'IGNORE';

sub fail {
  my $message = shift;
  stop();
  print STDERR "avx512-emulator: $message\n";
  for my $name ('serial.out', 'bochs.log', 'bochs.err') {
    open my $file, '<', $name or next;
    my @lines = <$file>;
    @lines = @lines[-15 .. -1] if @lines > 15;
    print STDERR map { "avx512-emulator: $name: " . s/\n?\z/\n/r } @lines;
  }
  exit 125;
}

sub pass {
  my ($to, $data) = @_;
  while (length $data) {
    my $n = syswrite $to, $data;
    return unless defined $n; # whoever read it is gone; the exit status still counts
    substr($data, 0, $n) = '';
  }
}

my $select = IO::Select->new($from);
$buffer = '';
while (1) {
  my $doing = $at{ready} ? 'while the program ran' : 'while it booted';
  fail("timed out after $timeout s, $doing") if time > $begun + $timeout;
  if (getppid != $parent) { stop(); exit 125 } # nobody waits for the result
  next unless $select->can_read(1);
  fail("the emulator ended $doing") unless sysread $from, $buffer, 1 << 16, length $buffer;
  if (!$at{ready}) {
    $at{loader} ||= time if $buffer =~ /B/;
    $at{kernel} ||= time if $buffer =~ /BK/;
    next unless $buffer =~ s/^.*?R\0\0\0\0//s; # before it, messages of bochs
    $at{ready} = time;
  }
  while (length $buffer >= 5) {
    my ($type, $length) = unpack 'aV', $buffer;
    fail('the emulated machine started anew, or its output is damaged') unless $type =~ /[12IX]/ && $length <= 65536;
    last if length $buffer < 5 + $length;
    my $data = substr $buffer, 5, $length;
    substr($buffer, 0, 5 + $length) = '';
    if ($type eq '1') { pass(\*STDOUT, $data) }
    elsif ($type eq '2') { pass(\*STDERR, $data) }
    elsif ($type eq 'X') { stop(); exit unpack 'V', $data }
    elsif ($verbose) {
      my ($bios, $loader) = map { $_ || $begun } @at{qw(loader kernel)};
      printf STDERR "avx512-emulator: BIOS %.1f s, loader %.1f s, kernel %.1f s, program %.1f s (%s)\n",
        $bios - $begun, $loader - $bios, $at{ready} - $loader, time - $at{ready}, $data;
    }
  }
}
