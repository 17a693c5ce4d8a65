use doublecrunch::prelude::*;

struct Filter;

impl Filter {
    #[crunch]
    fn kernel(&self, x: DcDouble) -> DcDouble {
        x
    }
}

fn main() {}
