//! Calls by path, through re-exports and renames, and visibility.
#![deny(warnings)]

pub mod arithmetic {
    use doublecrunch::prelude::*;

    #[crunch]
    pub fn square(x: DcDouble) -> DcDouble {
        x * x
    }

    pub mod deeper {
        use doublecrunch::prelude::*;

        #[crunch]
        pub(crate) fn cube(x: DcDouble) -> DcDouble {
            super::square(x) * x
        }

        #[crunch]
        pub(in crate::arithmetic) fn twice(x: DcDouble) -> DcDouble {
            x + x
        }
    }

    #[crunch]
    pub(super) fn twice_the_cube(x: DcDouble) -> DcDouble {
        deeper::twice(deeper::cube(x))
    }
}

use arithmetic::deeper::cube as g;
pub use arithmetic::square as power_of_two;

mod user {
    // The lane types under a path, too.
    #[doublecrunch::prelude::crunch]
    pub fn sum(x: doublecrunch::prelude::DcDouble) -> doublecrunch::prelude::DcDouble {
        crate::power_of_two(x) + super::g(x) + crate::arithmetic::twice_the_cube(x)
    }
}

fn main() {
    assert_eq!(user::sum::eval(2.0), 4.0 + 8.0 + 16.0);
    assert_eq!(power_of_two::eval(3.0), 9.0);
}
