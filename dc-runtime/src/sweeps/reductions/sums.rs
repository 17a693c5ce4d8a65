//! Sums, dot products, norms, means and variances, in several orders.

#![allow(
    clippy::needless_range_loop,
    reason = "the order of additions is that of the indices"
)]

use crate::prelude::*;

/// `((x0 + x1) + x2) + …`, 8 numbers.
#[crunch]
#[must_use]
pub fn sum_8(x: [f64; 8]) -> f64 {
    let mut sum = x[0];
    for i in 1..8 {
        sum += x[i];
    }
    sum
}

/// `((x0 + x1) + (x2 + x3)) + …`, 8 numbers.
#[crunch]
#[must_use]
pub fn sum_8_pairwise(x: [f64; 8]) -> f64 {
    ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7]))
}

/// `((x0 + x4) + (x2 + x6)) + …`, 8 numbers.
#[crunch]
#[must_use]
pub fn sum_8_by_8(x: [f64; 8]) -> f64 {
    ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]))
}

/// `((x0 + x1) + x2) + …`, 16 numbers.
#[crunch]
#[must_use]
pub fn sum_16(x: [f64; 16]) -> f64 {
    let mut sum = x[0];
    for i in 1..16 {
        sum += x[i];
    }
    sum
}

/// The sums of both halves, 16 numbers.
#[crunch]
#[must_use]
pub fn sum_16_pairwise(x: [f64; 16]) -> f64 {
    let low = sum_8_pairwise([x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]]);
    let high = sum_8_pairwise([x[8], x[9], x[10], x[11], x[12], x[13], x[14], x[15]]);
    low + high
}

/// Eight running sums, 16 numbers.
#[crunch]
#[must_use]
pub fn sum_16_by_8(x: [f64; 16]) -> f64 {
    let mut parts = [x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]];
    for i in 1..2 {
        for k in 0..8 {
            parts[k] += x[8 * i + k];
        }
    }
    sum_8_by_8(parts)
}

/// `((x0 + x1) + x2) + …`, 64 numbers.
#[crunch]
#[must_use]
pub fn sum_64(x: [f64; 64]) -> f64 {
    let mut sum = x[0];
    for i in 1..64 {
        sum += x[i];
    }
    sum
}

/// The sums of both halves, 64 numbers.
#[crunch]
#[must_use]
pub fn sum_64_pairwise(x: [f64; 64]) -> f64 {
    let mut parts = [0.0; 8];
    for i in 0..8 {
        parts[i] = sum_8_pairwise([
            x[8 * i],
            x[8 * i + 1],
            x[8 * i + 2],
            x[8 * i + 3],
            x[8 * i + 4],
            x[8 * i + 5],
            x[8 * i + 6],
            x[8 * i + 7],
        ]);
    }
    sum_8_pairwise(parts)
}

/// Eight running sums, 64 numbers.
#[crunch]
#[must_use]
pub fn sum_64_by_8(x: [f64; 64]) -> f64 {
    let mut parts = [x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]];
    for i in 1..8 {
        for k in 0..8 {
            parts[k] += x[8 * i + k];
        }
    }
    sum_8_by_8(parts)
}

/// `((x0 + x1) + x2) + …`, 16 numbers.
#[crunch]
#[must_use]
pub fn sum_16_f32(x: [f32; 16]) -> f32 {
    let mut sum = x[0];
    for i in 1..16 {
        sum += x[i];
    }
    sum
}

/// `((x0 + x1) + (x2 + x3)) + …`, 8 numbers.
#[crunch]
#[must_use]
pub fn sum_8_f32_pairwise(x: [f32; 8]) -> f32 {
    ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7]))
}

/// `((x0 + x4) + (x2 + x6)) + …`, 8 numbers.
#[crunch]
#[must_use]
pub fn sum_8_f32_by_8(x: [f32; 8]) -> f32 {
    ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]))
}

/// The sums of both halves, 16 numbers.
#[crunch]
#[must_use]
pub fn sum_16_f32_pairwise(x: [f32; 16]) -> f32 {
    let low = sum_8_f32_pairwise([x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]]);
    let high = sum_8_f32_pairwise([x[8], x[9], x[10], x[11], x[12], x[13], x[14], x[15]]);
    low + high
}

/// Eight running sums, 16 numbers.
#[crunch]
#[must_use]
pub fn sum_16_f32_by_8(x: [f32; 16]) -> f32 {
    let mut parts = [x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]];
    for i in 1..2 {
        for k in 0..8 {
            parts[k] += x[8 * i + k];
        }
    }
    sum_8_f32_by_8(parts)
}

/// `((x0 y0 + x1 y1) + x2 y2) + …`, each product rounded, 8 pairs.
#[crunch]
#[must_use]
pub fn dot_8(x: [f64; 8], y: [f64; 8]) -> f64 {
    let mut sum = x[0] * y[0];
    for i in 1..8 {
        sum += x[i] * y[i];
    }
    sum
}

/// The same with fused multiply-adds, 8 pairs.
#[crunch]
#[must_use]
pub fn dot_8_fused(x: [f64; 8], y: [f64; 8]) -> f64 {
    let mut sum = x[0] * y[0];
    for i in 1..8 {
        sum = x[i].mul_add(y[i], sum);
    }
    sum
}

/// The products, added pairwise, 8 pairs.
#[crunch]
#[must_use]
pub fn dot_8_pairwise(x: [f64; 8], y: [f64; 8]) -> f64 {
    let mut products = [0.0; 8];
    for i in 0..8 {
        products[i] = x[i] * y[i];
    }
    sum_8_pairwise(products)
}

/// `((x0 y0 + x1 y1) + x2 y2) + …`, each product rounded, 32 pairs.
#[crunch]
#[must_use]
pub fn dot_32(x: [f64; 32], y: [f64; 32]) -> f64 {
    let mut sum = x[0] * y[0];
    for i in 1..32 {
        sum += x[i] * y[i];
    }
    sum
}

/// The same with fused multiply-adds, 32 pairs.
#[crunch]
#[must_use]
pub fn dot_32_fused(x: [f64; 32], y: [f64; 32]) -> f64 {
    let mut sum = x[0] * y[0];
    for i in 1..32 {
        sum = x[i].mul_add(y[i], sum);
    }
    sum
}

/// Eight running sums of products, 32 pairs.
#[crunch]
#[must_use]
pub fn dot_32_by_8(x: [f64; 32], y: [f64; 32]) -> f64 {
    let mut parts = [0.0; 8];
    for k in 0..8 {
        parts[k] = x[k] * y[k];
    }
    for i in 1..4 {
        for k in 0..8 {
            parts[k] += x[8 * i + k] * y[8 * i + k];
        }
    }
    sum_8_by_8(parts)
}

/// The root of the sum of squares, 16 numbers: squares overflow and underflow.
#[crunch]
#[must_use]
pub fn norm_16(x: [f64; 16]) -> f64 {
    let mut sum = x[0] * x[0];
    for i in 1..16 {
        sum += x[i] * x[i];
    }
    sum.sqrt()
}

/// The same with fused multiply-adds, 16 numbers.
#[crunch]
#[must_use]
pub fn norm_16_fused(x: [f64; 16]) -> f64 {
    let mut sum = x[0] * x[0];
    for i in 1..16 {
        sum = x[i].mul_add(x[i], sum);
    }
    sum.sqrt()
}

/// The numbers are divided by the largest before they are squared, 16 numbers.
#[crunch]
#[must_use]
pub fn norm_16_scaled(x: [f64; 16]) -> f64 {
    let mut largest = 0.0;
    for i in 0..16 {
        let size = x[i].abs();
        if size > largest {
            largest = size;
        }
    }
    let by = if largest == 0.0 || largest == f64::INFINITY {
        1.0
    } else {
        largest
    };
    let mut sum = 0.0;
    for i in 0..16 {
        let part = x[i] / by;
        sum += part * part;
    }
    by * sum.sqrt()
}

/// The sum, divided, 10 numbers.
#[crunch]
#[must_use]
pub fn mean_10(x: [f64; 10]) -> f64 {
    let mut sum = x[0];
    for i in 1..10 {
        sum += x[i];
    }
    sum / 10.0
}

/// Each number is divided before the addition, 10 numbers: no sum overflows.
#[crunch]
#[must_use]
pub fn mean_10_divided(x: [f64; 10]) -> f64 {
    let mut sum = x[0] / 10.0;
    for i in 1..10 {
        sum += x[i] / 10.0;
    }
    sum
}

/// The mean of the squares less the square of the mean, 16 numbers.
#[crunch]
#[must_use]
pub fn variance_16_textbook(x: [f64; 16]) -> f64 {
    let mut sum = x[0];
    let mut squares = x[0] * x[0];
    for i in 1..16 {
        sum += x[i];
        squares += x[i] * x[i];
    }
    let mean = sum / 16.0;
    squares / 16.0 - mean * mean
}

/// The mean first, then the squares of the deviations, 16 numbers.
#[crunch]
#[must_use]
pub fn variance_16(x: [f64; 16]) -> f64 {
    let mut sum = x[0];
    for i in 1..16 {
        sum += x[i];
    }
    let mean = sum / 16.0;
    let mut squares = 0.0;
    for i in 0..16 {
        let far = x[i] - mean;
        squares += far * far;
    }
    squares / 16.0
}

/// Mean and deviations in one pass, after Welford, 16 numbers.
#[crunch]
#[must_use]
pub fn variance_16_welford(x: [f64; 16]) -> f64 {
    let mut mean = x[0];
    let mut squares = 0.0;
    for i in 1..16 {
        let far = x[i] - mean;
        mean += far / (i + 1) as f64;
        squares += far * (x[i] - mean);
    }
    squares / 16.0
}
