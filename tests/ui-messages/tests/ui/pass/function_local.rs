//! Kernels and tables in the scope of a function.
#![deny(warnings)]

fn main() {
    use doublecrunch::prelude::*;

    const TABLE: [f64; 2] = [3.0, 4.0];

    #[crunch]
    fn helper<const N: usize>(x: DcDouble) -> DcDouble {
        x * TABLE[N]
    }

    {
        #[crunch]
        fn helper_of_two(x: DcDouble) -> DcDouble {
            helper::<0>(x) + helper::<1>(x)
        }
        assert_eq!(helper_of_two::eval(2.0), 14.0);
    }
}
