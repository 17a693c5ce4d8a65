use doublecrunch::prelude::*;

fn helper(x: f64) -> f64 {
    x
}

mod other {
    pub fn imported(x: f64, y: f32) -> f64 {
        x * f64::from(y)
    }
}
use other::imported;

#[crunch]
fn of_this_file(x: DcDouble) -> DcDouble {
    helper(x)
}

#[crunch]
fn imported_by_name(x: DcDouble) -> DcDouble {
    let y = imported(2.0 * x, 1.0) + 1.0;
    if y > 1.0 { y } else { -x }
}

#[crunch]
fn by_its_path(x: DcDouble) -> DcDouble {
    x * other::imported(x, 1.0) + x
}

fn main() {}
