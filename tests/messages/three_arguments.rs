//! A suite takes functions of one or two arguments.

doublecrunch::suite! {
    mod promises;
    fused: |x: f64, y: f64, z: f64| x.mul_add(y, z), computes fma, over "all", within 0.5;
}

fn main() {}
