use doublecrunch::prelude::*;

#[crunch]
fn helper(x: DcDouble, y: f64) -> DcDouble {
    x + y
}

#[crunch]
fn helper_of_n<const N: usize>(x: DcDouble) -> f32 {
    x
}

#[crunch]
fn helper_of_tables<T>(x: DcDouble, c: &[T]) -> DcDouble {
    x * c[0]
}

const C: [f64; 2] = [1.0, 2.0];

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    let a = helper(x, x) * 2.0;
    let b: DcFloat = helper_of_n::<3>(a);
    b.to_f64() + helper_of_tables(x, &C)
}

fn main() {
    let y: f64 = helper::eval(1.0, 2.0);
    let mut out = [0.0; 2];
    helper::map(&[1.0, 2.0], &[y, y], &mut out);
    kernel::eval(y);
}
