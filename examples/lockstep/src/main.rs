//! A small game world in lockstep: machines exchange only inputs, so each must compute the same state, bit for bit.
//!
//! 256 ships steer towards a beacon that circles in the middle. Drag, a tide and a pulse of the beacon act on them. All functions are those
//! of `doublecrunch::math`. The digest of the last state is the same on every backend: scalar code, vectors of any width, the interpreter,
//! and the CUDA and OpenCL text of the same kernel. With the functions of the platform's C library it differs.
//!
//! `cargo run --package lockstep`; `cargo xtask lockstep` adds another architecture, under qemu.

use doublecrunch::backend::{Backend, Filter, KernelRef, discover};
use doublecrunch::prelude::*;

const SHIPS: usize = 256;
const TICKS: u32 = 600;

/// The state of a ship after one more tick: place, heading, speed.
#[crunch]
fn tick(
    x: DcFloat,
    y: DcFloat,
    heading: DcFloat,
    speed: DcFloat,
    time: DcFloat,
) -> (DcFloat, DcFloat, DcFloat, DcFloat) {
    let (beacon_x, beacon_y) = (40.0 * time.cos(), 40.0 * time.sin());
    let (dx, dy) = (beacon_x - x, beacon_y - y);
    let wanted = dy.atan2(dx);
    let turn = (wanted - heading).sin() * 0.1;
    let heading = heading + turn;
    let distance = dx.hypot(dy);
    let pulse = (-0.05 * distance).exp();
    let speed = (speed * 0.98 + 0.3 * pulse + 0.01 * (distance + 1.0).log()).tanh() * 2.0;
    let tide = 0.05 * (0.1 * x + 3.0 * time).sin();
    (
        x + speed * heading.cos(),
        y + speed * heading.sin() + tide,
        heading,
        speed,
    )
}

/// The first state: ships in a spiral.
fn start() -> [Vec<f32>; 4] {
    let each = |f: fn(f32) -> f32| (0..SHIPS).map(|n| f(n as f32)).collect();
    [
        each(|n| n * 0.5 - 64.0),
        each(|n| (n * 37.0) % 101.0 - 50.0),
        each(|n| n * 0.01),
        each(|_| 0.5),
    ]
}

/// FNV-1a of the state's bits.
fn digest(state: &[Vec<u64>]) -> u64 {
    let words = state
        .iter()
        .flatten()
        .flat_map(|w| (*w as u32).to_le_bytes());
    words.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The same world with the standard library's functions, which are those of the platform.
fn by_the_platform() -> u64 {
    let [mut x, mut y, mut heading, mut speed] = start();
    for t in 0..TICKS {
        let time = t as f32 * 0.02;
        for i in 0..SHIPS {
            let (dx, dy) = (40.0 * time.cos() - x[i], 40.0 * time.sin() - y[i]);
            heading[i] += (dy.atan2(dx) - heading[i]).sin() * 0.1;
            let distance = dx.hypot(dy);
            let pulse = (-0.05 * distance).exp();
            let faster = speed[i] * 0.98 + 0.3 * pulse + 0.01 * (distance + 1.0).ln();
            speed[i] = faster.tanh() * 2.0;
            let tide = 0.05 * (0.1 * x[i] + 3.0 * time).sin();
            x[i] += speed[i] * heading[i].cos();
            y[i] = y[i] + speed[i] * heading[i].sin() + tide;
        }
    }
    let bits = |column: Vec<f32>| column.iter().map(|v| u64::from(v.to_bits())).collect();
    digest(&[x, y, heading, speed].map(bits))
}

/// The digest of the last state, computed by a backend.
fn computed_by(backend: &dyn Backend) -> u64 {
    let kernel = KernelRef::of::<tick>();
    let mut loaded = backend.load(&kernel).expect("the kernel loads");
    let mut state = start().map(|c| c.iter().map(|v| u64::from(v.to_bits())).collect());
    let mut next: Vec<Vec<u64>> = vec![Vec::new(); 4];
    for t in 0..TICKS {
        let time = vec![u64::from((t as f32 * 0.02).to_bits()); SHIPS];
        let [x, y, heading, speed]: &[Vec<u64>; 4] = &state;
        let inputs: [&[u64]; 5] = [x, y, heading, speed, &time];
        loaded.eval(&inputs, &mut next).expect("the kernel runs");
        for (old, new) in state.iter_mut().zip(&mut next) {
            std::mem::swap(old, new);
        }
    }
    digest(&state)
}

fn main() {
    let found = discover(&"all".parse::<Filter>().expect("a pattern"));
    println!("{SHIPS} ships, {TICKS} ticks: digest of the last state");
    let mut digests = Vec::new();
    for backend in &found.backends {
        let digest = computed_by(backend.as_ref());
        println!("{digest:016x}  {}", backend.id());
        digests.push(digest);
    }
    println!(
        "{:016x}  std, which takes this platform's C library",
        by_the_platform()
    );
    for absent in &found.absent {
        println!("not here          {}: {}", absent.id, absent.reason);
    }
    assert!(
        digests.windows(2).all(|d| d[0] == d[1]),
        "the digests differ"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The digest on every machine.
    const DIGEST: u64 = 0xfab7_6145_c5e0_fcc0;

    #[test]
    fn every_backend_has_the_digest() {
        let found = discover(&"all".parse::<Filter>().expect("a pattern"));
        for backend in &found.backends {
            let digest = computed_by(backend.as_ref());
            assert_eq!(digest, DIGEST, "{}: {digest:016x}", backend.id());
        }
    }
}
