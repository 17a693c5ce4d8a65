use doublecrunch::prelude::*;

#[crunch]
fn kernel<T>(x: f64, y: DcDouble) -> DcDouble {
    let z = match y {
        _ => y,
    };
    let w = y.sec() + "text" + y as f64;
    while z > 1.0 {}
    println!("{w:?}");
    w.floor().round().abs()
}

fn main() {}
