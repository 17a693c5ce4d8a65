\\ Prints the bits of all doubles x between 1 and 2 for which 1 / x lies above the middle of two neighbouring doubles, by
\\ at most 5700 * 2^-106 / x: examples/data/near-midpoints.txt, see docs/book/src/understand/newton.md, Theorem 4.
\\
\\ With x = X 2^-52 and the middle M 2^-54, M odd, that is X M = 2^106 - c for an integer 0 < c <= 5700, so that each c
\\ asks for the divisors of one number. `gp -q midpoints.gp < /dev/null | sort -u`, PARI/GP 2.15: seconds.

default(factor_proven, 1);
{
  for (c = 1, 5700,
    N = 2^106 - c;
    fordiv(N, X,
      if (2^52 < X && X < 2^53 && (N / X) % 2 == 1,
        printf("3ff%013x\n", X - 2^52))));
}
