//! The operations of the instruction sets, as a table: one row per operation, one column per set.
//!
//! A row has the operation's documentation, its shape, its name and types, and its implementation on each set: plain Rust for a lane, an
//! intrinsic or a function of the set's `register.rs` for a register. The methods of the trait [`Isa`](super::Isa) and its implementations
//! are generated from this table, so a new set needs one more column. An empty entry means that the trait's own method is used: for fences
//! and order, which plain Rust does not need, and for instructions that a set lacks.
//!
//! `group.rs` and `registers.rs` define what a shape generates from an entry:
//!
//! | shape | the entry is applied to |
//! |---|---|
//! | `splat`, `load`, `store`, `iota`, `gather` | the value that goes into a unit, or is read from it |
//! | `registers` | each register of 64-bit lanes (on plain Rust: each lane) |
//! | `units` | each unit |
//! | `count` | each unit, and the numbers are added up |
//! | `instruction` | each unit; the method gives `None` if the entry is empty |
//! | `directed` | each register; `derived` is the derivation from operations to nearest |
//! | `fences`, `order` | whole groups |

/// Passes the table to a macro, after the macro's arguments: `operations!(macro, arguments)`.
macro_rules! operations {
    ($take:ident $(, $($args:tt)*)?) => { $take! { { $($($args)*)? }
        // Columns:        shape, name and types = [scalar] [avx2] [avx512] [neon]

        // --- loads and stores of lanes: slices have length LANES or more ---
        /// Every lane `x`.
        splat splat_f64(f64) -> F64 = [|x| x] [|x| pair(_mm256_set1_pd(x))] [|x| pair(_mm512_set1_pd(x))] [|x| pair(vdupq_n_f64(x))];
        /// Every lane `x`.
        splat splat_f32(f32) -> F32 = [|x| x] [_mm256_set1_ps] [_mm512_set1_ps] [vdupq_n_f32];
        /// Every lane `x`.
        splat splat_i64(i64) -> I64 = [|x| x] [|x| pair(_mm256_set1_epi64x(x))] [|x| pair(_mm512_set1_epi64(x))] [|x| pair(vdupq_n_s64(x))];
        /// Every lane `x`.
        splat splat_i32(i32) -> I32 = [|x| x] [_mm256_set1_epi32] [_mm512_set1_epi32] [vdupq_n_s32];
        /// Every lane `x`.
        splat splat_mask(bool) -> Mask = [|x| x] [r::splat_mask] [r::splat_mask] [r::splat_mask];
        /// Lane k is `x[k]`; panics where `x` is shorter than [`Isa::LANES`].
        load load_f64(f64) -> F64 = [|p: *const f64| *p] [r::load_f64] [r::load_f64] [r::load_f64];
        /// Lane k is `x[k]`; panics where `x` is shorter than [`Isa::LANES`].
        load load_f32(f32) -> F32 = [|p: *const f32| *p] [_mm256_loadu_ps] [_mm512_loadu_ps] [vld1q_f32];
        /// Lane k is `x[k]`; panics where `x` is shorter than [`Isa::LANES`].
        load load_i64(i64) -> I64 = [|p: *const i64| *p] [r::load_i64] [r::load_i64] [r::load_i64];
        /// Lane k is `x[k]`; panics where `x` is shorter than [`Isa::LANES`].
        load load_i32(i32) -> I32 = [|p: *const i32| *p] [r::load_i32] [_mm512_loadu_epi32] [vld1q_s32];
        /// Lane k is `x[k]`, with zeros above it; panics where `x` is shorter than [`Isa::LANES`].
        load load_u16(u16) -> I32 = [|p: *const u16| i32::from(*p)] [r::load_u16] [r::load_u16] [|p| vreinterpretq_s32_u32(vmovl_u16(vld1_u16(p)))];
        /// Lane k is `x[k]`; panics where `x` is shorter than [`Isa::LANES`].
        load load_mask(bool) -> Mask = [|p: *const bool| *p] [r::load_mask] [r::load_mask] [r::load_mask];
        /// Stores the bits unchanged; the caller makes NaNs canonical ([`crate::types`]).
        store store_f64(F64, f64) = [|p: *mut f64, v| *p = v] [r::store_f64] [r::store_f64] [r::store_f64];
        /// `out[k]` becomes lane k; panics where `out` is shorter than [`Isa::LANES`].
        store store_f32(F32, f32) = [|p: *mut f32, v| *p = v] [_mm256_storeu_ps] [_mm512_storeu_ps] [vst1q_f32];
        /// `out[k]` becomes lane k; panics where `out` is shorter than [`Isa::LANES`].
        store store_i64(I64, i64) = [|p: *mut i64, v| *p = v] [r::store_i64] [r::store_i64] [r::store_i64];
        /// `out[k]` becomes lane k; panics where `out` is shorter than [`Isa::LANES`].
        store store_i32(I32, i32) = [|p: *mut i32, v| *p = v] [r::store_i32] [_mm512_storeu_epi32] [vst1q_s32];
        /// `out[k]` becomes the lower half of lane k; panics where `out` is shorter than [`Isa::LANES`].
        store store_u16(I32, u16) = [|p: *mut u16, v| *p = v as u16] [r::store_u16] [r::store_u16] [|p, v| vst1_u16(p, vmovn_u32(vreinterpretq_u32_s32(v)))];
        /// `out[k]` becomes lane k; panics where `out` is shorter than [`Isa::LANES`].
        store store_mask(Mask, bool) = [|p: *mut bool, v| *p = v] [r::store_mask] [r::store_mask] [r::store_mask];
        /// `start + lane` for lane 0, 1, …, wrapping.
        iota iota_i64(i64) -> I64 = [|start| start] [r::iota_i64] [r::iota_i64] [r::iota_i64];
        /// `start + lane`, wrapping.
        iota iota_i32(i32) -> I32 = [|start| start] [r::iota_i32] [r::iota_i32] [r::iota_i32];

        // --- barriers for the compiler's scheduler, see `fence` ---
        /// The same value.
        fences fence_f64(F64) = [] [fence::m256d] [fence::m512d] [fence::v128d];
        /// The same value.
        fences fence_f32(F32) = [] [fence::m256] [fence::m512] [fence::v128];
        /// Makes the compiler order the computation of `before` before the uses of `after`; on groups of one unit.
        order order_f64(F64) = [] [fence::m256d] [fence::m512d] [fence::v128d];
        /// The same as [`Isa::order_f64`].
        order order_f32(F32) = [] [fence::m256] [fence::m512] [fence::v128];

        // --- binary64: correctly rounded to nearest even, never contracted or flushed ---
        /// `a + b`
        registers add_f64(a: F64, b: F64) -> F64 = [|a: f64, b: f64| a + b] [_mm256_add_pd] [_mm512_add_pd] [vaddq_f64];
        /// `a - b`
        registers sub_f64(a: F64, b: F64) -> F64 = [|a: f64, b: f64| a - b] [_mm256_sub_pd] [_mm512_sub_pd] [vsubq_f64];
        /// `a - b`, on the units of `fma` where AVX-512 has that. LLVM would turn a product by a known 1 back into a difference.
        registers sub_as_fma_f64(a: F64, b: F64) -> F64 =
            [|a: f64, b: f64| a - b] [_mm256_sub_pd] [|a, b| _mm512_fnmadd_pd(b, fence::opaque_m512d(_mm512_set1_pd(1.0)), a)] [vsubq_f64];
        /// `a * b`
        registers mul_f64(a: F64, b: F64) -> F64 = [|a: f64, b: f64| a * b] [_mm256_mul_pd] [_mm512_mul_pd] [vmulq_f64];
        /// `a / b`
        registers div_f64(a: F64, b: F64) -> F64 = [|a: f64, b: f64| a / b] [_mm256_div_pd] [_mm512_div_pd] [vdivq_f64];
        /// `a * b + c` with one rounding.
        registers fma_f64(a: F64, b: F64, c: F64) -> F64 =
            [|a, b, c| unknown64(plain::fma_f64(a, b, c))] [|a, b, c| fence::opaque_m256d(_mm256_fmadd_pd(a, b, c))] [|a, b, c| fence::opaque_m512d(_mm512_fmadd_pd(a, b, c))] [|a, b, c| fence::opaque_v128d(vfmaq_f64(c, a, b))];
        /// Square root.
        registers sqrt_f64(a: F64) -> F64 = [plain::sqrt_f64] [_mm256_sqrt_pd] [_mm512_sqrt_pd] [vsqrtq_f64];
        /// The sign bit flipped.
        registers neg_f64(a: F64) -> F64 = [|a: f64| -a] [r::neg_f64] [r::neg_f64] [vnegq_f64];
        /// The sign bit cleared.
        registers abs_f64(a: F64) -> F64 = [f64::abs] [r::abs_f64] [r::abs_f64] [vabsq_f64];
        /// Magnitude bits of `a`, sign bit of `b`, which is not made canonical (do so first where NaN matters).
        registers copysign_f64(a: F64, b: F64) -> F64 = [f64::copysign] [r::copysign_f64] [r::copysign_f64] [r::copysign_f64];
        // MINPD and MAXPD give their second operand where the comparison is false: on NaN and on zeros of two signs.
        /// `if a < b { a } else { b }`
        registers min_f64(a: F64, b: F64) -> F64 = [|a: f64, b: f64| if a < b { a } else { other64(b) }] [_mm256_min_pd] [_mm512_min_pd] [r::min_f64];
        /// `if a > b { a } else { b }`
        registers max_f64(a: F64, b: F64) -> F64 = [|a: f64, b: f64| if a > b { a } else { other64(b) }] [_mm256_max_pd] [_mm512_max_pd] [r::max_f64];
        /// To an integer, toward −∞.
        registers floor_f64(a: F64) -> F64 = [plain::floor_f64] [_mm256_floor_pd] [r::floor_f64] [vrndmq_f64];
        /// To an integer, toward +∞.
        registers ceil_f64(a: F64) -> F64 = [plain::ceil_f64] [_mm256_ceil_pd] [r::ceil_f64] [vrndpq_f64];
        /// To an integer, toward zero.
        registers trunc_f64(a: F64) -> F64 = [plain::trunc_f64] [r::trunc_f64] [r::trunc_f64] [vrndq_f64];
        /// To the nearest integer, ties to even.
        registers round_ties_even_f64(a: F64) -> F64 = [plain::round_ties_even_f64] [r::round_ties_even_f64] [r::round_ties_even_f64] [vrndnq_f64];
        /// `a < b`
        units lt_f64(a: F64, b: F64) -> Mask = [|a: f64, b: f64| a < b] [r::lt_f64] [r::lt_f64] [r::lt_f64];
        /// `a <= b`
        units le_f64(a: F64, b: F64) -> Mask = [|a: f64, b: f64| a <= b] [r::le_f64] [r::le_f64] [r::le_f64];
        /// `a == b`
        units eq_f64(a: F64, b: F64) -> Mask = [|a: f64, b: f64| a == b] [r::eq_f64] [r::eq_f64] [r::eq_f64];
        /// True on NaN.
        units ne_f64(a: F64, b: F64) -> Mask = [|a: f64, b: f64| a != b] [r::ne_f64] [r::ne_f64] [r::ne_f64];
        /// `if m { a } else { b }`
        units select_f64(m: Mask, a: F64, b: F64) -> F64 = [|m: bool, a, b| if m { a } else { other64(b) }] [r::select_f64] [r::select_f64] [r::select_f64];
        /// NaN becomes `0x7ff8000000000000`.
        registers canonical_f64(a: F64) -> F64 = [canonical64] [r::canonical_f64] [r::canonical_f64] [r::canonical_f64];
        /// The bits, unchanged (make NaNs canonical first where they matter).
        registers bits_f64(a: F64) -> I64 = [|a: f64| a.to_bits() as i64] [_mm256_castpd_si256] [_mm512_castpd_si512] [vreinterpretq_s64_f64];
        /// The number of these bits.
        registers f64_from_bits(a: I64) -> F64 = [|a: i64| f64::from_bits(a as u64)] [_mm256_castsi256_pd] [_mm512_castsi512_pd] [vreinterpretq_f64_s64];

        // --- binary32, the same ---
        /// `a + b`
        units add_f32(a: F32, b: F32) -> F32 = [|a: f32, b: f32| a + b] [_mm256_add_ps] [_mm512_add_ps] [vaddq_f32];
        /// `a - b`
        units sub_f32(a: F32, b: F32) -> F32 = [|a: f32, b: f32| a - b] [_mm256_sub_ps] [_mm512_sub_ps] [vsubq_f32];
        /// The same as [`Isa::sub_as_fma_f64`].
        units sub_as_fma_f32(a: F32, b: F32) -> F32 =
            [|a: f32, b: f32| a - b] [_mm256_sub_ps] [|a, b| _mm512_fnmadd_ps(b, fence::opaque_m512(_mm512_set1_ps(1.0)), a)] [vsubq_f32];
        /// `a * b`
        units mul_f32(a: F32, b: F32) -> F32 = [|a: f32, b: f32| a * b] [_mm256_mul_ps] [_mm512_mul_ps] [vmulq_f32];
        /// `a / b`
        units div_f32(a: F32, b: F32) -> F32 = [|a: f32, b: f32| a / b] [_mm256_div_ps] [_mm512_div_ps] [vdivq_f32];
        /// `a * b + c` with one rounding.
        units fma_f32(a: F32, b: F32, c: F32) -> F32 =
            [|a, b, c| unknown32(plain::fma_f32(a, b, c))] [|a, b, c| fence::opaque_m256(_mm256_fmadd_ps(a, b, c))] [|a, b, c| fence::opaque_m512(_mm512_fmadd_ps(a, b, c))] [|a, b, c| fence::opaque_v128(vfmaq_f32(c, a, b))];
        /// Square root.
        units sqrt_f32(a: F32) -> F32 = [plain::sqrt_f32] [_mm256_sqrt_ps] [_mm512_sqrt_ps] [vsqrtq_f32];
        /// The sign bit flipped.
        units neg_f32(a: F32) -> F32 = [|a: f32| -a] [r::neg_f32] [r::neg_f32] [vnegq_f32];
        /// The sign bit cleared.
        units abs_f32(a: F32) -> F32 = [f32::abs] [r::abs_f32] [r::abs_f32] [vabsq_f32];
        /// Magnitude bits of `a`, sign bit of `b`, which is not made canonical.
        units copysign_f32(a: F32, b: F32) -> F32 = [f32::copysign] [r::copysign_f32] [r::copysign_f32] [r::copysign_f32];
        /// `if a < b { a } else { b }`
        units min_f32(a: F32, b: F32) -> F32 = [|a: f32, b: f32| if a < b { a } else { other32(b) }] [_mm256_min_ps] [_mm512_min_ps] [r::min_f32];
        /// `if a > b { a } else { b }`
        units max_f32(a: F32, b: F32) -> F32 = [|a: f32, b: f32| if a > b { a } else { other32(b) }] [_mm256_max_ps] [_mm512_max_ps] [r::max_f32];
        /// To an integer, toward −∞.
        units floor_f32(a: F32) -> F32 = [plain::floor_f32] [_mm256_floor_ps] [r::floor_f32] [vrndmq_f32];
        /// To an integer, toward +∞.
        units ceil_f32(a: F32) -> F32 = [plain::ceil_f32] [_mm256_ceil_ps] [r::ceil_f32] [vrndpq_f32];
        /// To an integer, toward zero.
        units trunc_f32(a: F32) -> F32 = [plain::trunc_f32] [r::trunc_f32] [r::trunc_f32] [vrndq_f32];
        /// To the nearest integer, ties to even.
        units round_ties_even_f32(a: F32) -> F32 = [plain::round_ties_even_f32] [r::round_ties_even_f32] [r::round_ties_even_f32] [vrndnq_f32];
        /// `a < b`
        units lt_f32(a: F32, b: F32) -> Mask = [|a: f32, b: f32| a < b] [r::lt_f32] [r::lt_f32] [r::lt_f32];
        /// `a <= b`
        units le_f32(a: F32, b: F32) -> Mask = [|a: f32, b: f32| a <= b] [r::le_f32] [r::le_f32] [r::le_f32];
        /// `a == b`
        units eq_f32(a: F32, b: F32) -> Mask = [|a: f32, b: f32| a == b] [r::eq_f32] [r::eq_f32] [r::eq_f32];
        /// True on NaN.
        units ne_f32(a: F32, b: F32) -> Mask = [|a: f32, b: f32| a != b] [r::ne_f32] [r::ne_f32] [r::ne_f32];
        /// `if m { a } else { b }`
        units select_f32(m: Mask, a: F32, b: F32) -> F32 = [|m: bool, a, b| if m { a } else { other32(b) }] [r::select_f32] [r::select_f32] [r::select_f32];
        /// NaN becomes `0x7fc00000`.
        units canonical_f32(a: F32) -> F32 = [canonical32] [r::canonical_f32] [r::canonical_f32] [r::canonical_f32];
        /// The bits, unchanged.
        units bits_f32(a: F32) -> I32 = [|a: f32| a.to_bits() as i32] [_mm256_castps_si256] [_mm512_castps_si512] [vreinterpretq_s32_f32];
        /// The number of these bits.
        units f32_from_bits(a: I32) -> F32 = [|a: i32| f32::from_bits(a as u32)] [_mm256_castsi256_ps] [_mm512_castsi512_ps] [vreinterpretq_f32_s32];

        // --- rounded in a direction; a difference is the sum with `-b`; for `derived` see `kernels_gen::directed` ---
        /// `a + b`, rounded in that direction.
        directed add_directed_f64(a: F64, b: F64) -> F64 = [derived add_f64] [derived add_f64] [_mm512_add_round_pd two] [derived add_f64];
        /// `a * b`, rounded in that direction.
        directed mul_directed_f64(a: F64, b: F64) -> F64 = [derived mul_f64] [derived mul_f64] [_mm512_mul_round_pd two] [derived mul_f64];
        /// `a / b`, rounded in that direction.
        directed div_directed_f64(a: F64, b: F64) -> F64 = [derived div_f64] [derived div_f64] [_mm512_div_round_pd two] [derived div_f64];
        /// Square root, rounded in that direction.
        directed sqrt_directed_f64(a: F64) -> F64 = [derived sqrt_f64] [derived sqrt_f64] [_mm512_sqrt_round_pd two] [derived sqrt_f64];
        /// `a * b + c` with one rounding, rounded in that direction.
        directed fma_directed_f64(a: F64, b: F64, c: F64) -> F64 = [derived fma_f64] [derived fma_f64] [_mm512_fmadd_round_pd two] [derived fma_f64];
        /// `a + b`, rounded in that direction.
        directed add_directed_f32(a: F32, b: F32) -> F32 = [derived add_f32] [derived add_f32] [_mm512_add_round_ps one] [derived add_f32];
        /// `a * b`, rounded in that direction.
        directed mul_directed_f32(a: F32, b: F32) -> F32 = [derived mul_f32] [derived mul_f32] [_mm512_mul_round_ps one] [derived mul_f32];
        /// `a / b`, rounded in that direction.
        directed div_directed_f32(a: F32, b: F32) -> F32 = [derived div_f32] [derived div_f32] [_mm512_div_round_ps one] [derived div_f32];
        /// Square root, rounded in that direction.
        directed sqrt_directed_f32(a: F32) -> F32 = [derived sqrt_f32] [derived sqrt_f32] [_mm512_sqrt_round_ps one] [derived sqrt_f32];
        /// `a * b + c` with one rounding, rounded in that direction.
        directed fma_directed_f32(a: F32, b: F32, c: F32) -> F32 = [derived fma_f32] [derived fma_f32] [_mm512_fmadd_round_ps one] [derived fma_f32];

        // --- conversions ---
        /// Correctly rounded to nearest even.
        units f64_to_f32(a: F64) -> F32 = [|a: f64| a as f32] [r::f64_to_f32] [r::f64_to_f32] [r::f64_to_f32];
        /// Exact.
        units f32_to_f64(a: F32) -> F64 = [|a: f32| f64::from(a)] [r::f32_to_f64] [r::f32_to_f64] [r::f32_to_f64];
        /// Saturating, NaN gives 0, toward zero: Rust's `as`.
        registers f64_to_i64(a: F64) -> I64 = [|a: f64| a as i64] [r::f64_to_i64] [r::f64_to_i64] [vcvtq_s64_f64];
        /// The same as [`Isa::f64_to_i64`].
        units f64_to_i32(a: F64) -> I32 = [|a: f64| a as i32] [r::f64_to_i32] [r::f64_to_i32] [r::f64_to_i32];
        /// The same as [`Isa::f64_to_i64`].
        units f32_to_i64(a: F32) -> I64 = [|a: f32| a as i64] [r::f32_to_i64] [r::f32_to_i64] [r::f32_to_i64];
        /// The same as [`Isa::f64_to_i64`].
        units f32_to_i32(a: F32) -> I32 = [|a: f32| a as i32] [r::f32_to_i32] [r::f32_to_i32] [vcvtq_s32_f32];
        /// Correctly rounded to nearest even.
        registers i64_to_f64(a: I64) -> F64 = [|a: i64| a as f64] [r::i64_to_f64] [_mm512_cvtepi64_pd] [vcvtq_f64_s64];
        /// Correctly rounded to nearest even.
        units i64_to_f32(a: I64) -> F32 = [|a: i64| a as f32] [r::i64_to_f32] [r::i64_to_f32] [r::i64_to_f32];
        /// Exact.
        units i32_to_f64(a: I32) -> F64 = [|a: i32| f64::from(a)] [r::i32_to_f64] [r::i32_to_f64] [r::i32_to_f64];
        /// Correctly rounded to nearest even.
        units i32_to_f32(a: I32) -> F32 = [|a: i32| a as f32] [_mm256_cvtepi32_ps] [_mm512_cvtepi32_ps] [vcvtq_f32_s32];
        /// Sign extension.
        units i32_to_i64(a: I32) -> I64 = [|a: i32| i64::from(a)] [r::i32_to_i64] [r::i32_to_i64] [r::i32_to_i64];
        /// The low 32 bits.
        units i64_to_i32(a: I64) -> I32 = [|a: i64| a as i32] [r::i64_to_i32] [r::i64_to_i32] [r::i64_to_i32];

        // --- 16 bits, by instructions that match the kernels of `builtins/half.rs`; not part of the language ---
        /// The numbers with these binary16 bits, the lower half of a lane. The bits of a resulting NaN are unspecified.
        instruction f16_to_f32(a: I32) -> F32 = [] [r::f16_to_f32] [r::f16_to_f32] [];
        /// The bits of the numbers rounded to binary16, to nearest even; `0x7e00` for a NaN.
        instruction f32_to_f16(a: F32) -> I32 = [] [r::f32_to_f16] [r::f32_to_f16] [];
        /// The numbers rounded to binary16, to nearest even. The bits of a resulting NaN are unspecified.
        instruction round_f16(a: F32) -> F32 = [] [r::round_f16] [r::round_f16] [];
        /// The bits of the numbers rounded to bfloat16, to nearest even; `0x7fc0` for a NaN.
        instruction f32_to_bf16(a: F32) -> I32 = [] [] [r::f32_to_bf16] [];

        // --- 64-bit integers, wrapping; shift amounts are taken modulo 64 ---
        /// `a + b`
        registers add_i64(a: I64, b: I64) -> I64 = [i64::wrapping_add] [_mm256_add_epi64] [_mm512_add_epi64] [vaddq_s64];
        /// `a - b`
        registers sub_i64(a: I64, b: I64) -> I64 = [i64::wrapping_sub] [_mm256_sub_epi64] [_mm512_sub_epi64] [vsubq_s64];
        /// `a * b`
        registers mul_i64(a: I64, b: I64) -> I64 = [i64::wrapping_mul] [r::mul_i64] [_mm512_mullo_epi64] [r::mul_i64];
        /// `a & b`
        registers and_i64(a: I64, b: I64) -> I64 = [|a: i64, b: i64| a & b] [_mm256_and_si256] [_mm512_and_si512] [vandq_s64];
        /// `a | b`
        registers or_i64(a: I64, b: I64) -> I64 = [|a: i64, b: i64| a | b] [_mm256_or_si256] [_mm512_or_si512] [vorrq_s64];
        /// `a ^ b`
        registers xor_i64(a: I64, b: I64) -> I64 = [|a: i64, b: i64| a ^ b] [_mm256_xor_si256] [_mm512_xor_si512] [veorq_s64];
        /// `a << n`
        registers shl_i64(a: I64, n: I64) -> I64 = [|a: i64, n: i64| a.wrapping_shl(n as u32)] [r::shl_i64] [r::shl_i64] [r::shl_i64];
        /// `a >> n` with the sign extended.
        registers shr_i64(a: I64, n: I64) -> I64 = [|a: i64, n: i64| a.wrapping_shr(n as u32)] [r::shr_i64] [r::shr_i64] [r::shr_i64];
        /// `a >> n` with zeros shifted in.
        registers shr_logical_i64(a: I64, n: I64) -> I64 =
            [|a: i64, n: i64| (a as u64).wrapping_shr(n as u32) as i64] [r::shr_logical_i64] [r::shr_logical_i64] [r::shr_logical_i64];
        /// Signed comparison `a < b`.
        units lt_i64(a: I64, b: I64) -> Mask = [|a: i64, b: i64| a < b] [r::lt_i64] [r::lt_i64] [r::lt_i64];
        /// `a == b`
        units eq_i64(a: I64, b: I64) -> Mask = [|a: i64, b: i64| a == b] [r::eq_i64] [r::eq_i64] [r::eq_i64];
        /// `if m { a } else { b }`
        units select_i64(m: Mask, a: I64, b: I64) -> I64 = [|m: bool, a, b| if m { a } else { b }] [r::select_i64] [r::select_i64] [r::select_i64];

        // --- 32-bit integers, the same modulo 32 ---
        /// `a + b`
        units add_i32(a: I32, b: I32) -> I32 = [i32::wrapping_add] [_mm256_add_epi32] [_mm512_add_epi32] [vaddq_s32];
        /// `a - b`
        units sub_i32(a: I32, b: I32) -> I32 = [i32::wrapping_sub] [_mm256_sub_epi32] [_mm512_sub_epi32] [vsubq_s32];
        /// `a * b`
        units mul_i32(a: I32, b: I32) -> I32 = [i32::wrapping_mul] [_mm256_mullo_epi32] [_mm512_mullo_epi32] [vmulq_s32];
        /// `a & b`
        units and_i32(a: I32, b: I32) -> I32 = [|a: i32, b: i32| a & b] [_mm256_and_si256] [_mm512_and_si512] [vandq_s32];
        /// `a | b`
        units or_i32(a: I32, b: I32) -> I32 = [|a: i32, b: i32| a | b] [_mm256_or_si256] [_mm512_or_si512] [vorrq_s32];
        /// `a ^ b`
        units xor_i32(a: I32, b: I32) -> I32 = [|a: i32, b: i32| a ^ b] [_mm256_xor_si256] [_mm512_xor_si512] [veorq_s32];
        /// `a << n`
        units shl_i32(a: I32, n: I32) -> I32 = [|a: i32, n: i32| a.wrapping_shl(n as u32)] [r::shl_i32] [r::shl_i32] [r::shl_i32];
        /// `a >> n` with the sign extended.
        units shr_i32(a: I32, n: I32) -> I32 = [|a: i32, n: i32| a.wrapping_shr(n as u32)] [r::shr_i32] [r::shr_i32] [r::shr_i32];
        /// `a >> n` with zeros shifted in.
        units shr_logical_i32(a: I32, n: I32) -> I32 =
            [|a: i32, n: i32| (a as u32).wrapping_shr(n as u32) as i32] [r::shr_logical_i32] [r::shr_logical_i32] [r::shr_logical_i32];
        /// `a < b`
        units lt_i32(a: I32, b: I32) -> Mask = [|a: i32, b: i32| a < b] [r::lt_i32] [r::lt_i32] [r::lt_i32];
        /// `a == b`
        units eq_i32(a: I32, b: I32) -> Mask = [|a: i32, b: i32| a == b] [r::eq_i32] [r::eq_i32] [r::eq_i32];
        /// `if m { a } else { b }`
        units select_i32(m: Mask, a: I32, b: I32) -> I32 = [|m: bool, a, b| if m { a } else { b }] [r::select_i32] [r::select_i32] [r::select_i32];

        // --- masks ---
        /// `a & b`
        units and_mask(a: Mask, b: Mask) -> Mask = [|a: bool, b: bool| a & b] [r::and_mask] [r::and_mask] [r::and_mask];
        /// `a | b`
        units or_mask(a: Mask, b: Mask) -> Mask = [|a: bool, b: bool| a | b] [r::or_mask] [r::or_mask] [r::or_mask];
        /// `a ^ b`
        units xor_mask(a: Mask, b: Mask) -> Mask = [|a: bool, b: bool| a ^ b] [r::xor_mask] [r::xor_mask] [r::xor_mask];
        /// `!a`
        units not_mask(a: Mask) -> Mask = [|a: bool| !a] [r::not_mask] [r::not_mask] [r::not_mask];
        /// `if m { a } else { b }`
        units select_mask(m: Mask, a: Mask, b: Mask) -> Mask = [|m: bool, a: bool, b: bool| if m { a } else { b }] [r::select_mask] [r::select_mask] [r::select_mask];
        /// Number of true lanes.
        count count(Mask) -> u32 = [u32::from] [|m| r::mask_bits(m).count_ones()] [|m| r::mask_bits(m).count_ones()] [r::count];
        /// `if m { a + 1 } else { a }`, wrapping. It is not part of the language.
        units increment_i64(m: Mask, a: I64) -> I64 = [|m: bool, a: i64| a.wrapping_add(i64::from(m))] [r::increment_i64] [r::increment_i64] [r::increment_i64];
        /// `if m { a - 1 } else { a }`, wrapping. It is not part of the language.
        units decrement_i64(m: Mask, a: I64) -> I64 = [|m: bool, a: i64| a.wrapping_sub(i64::from(m))] [r::decrement_i64] [r::decrement_i64] [r::decrement_i64];

        // --- tables: the index is wrapped (power-of-two length) or clamped, so any index is safe; len >= 1 ---
        /// `t[i]`
        gather gather_f64(f64, I64) -> F64 = [|t: &[f64], i| t[wrap(i, t.len())]] [r::gather_f64] [r::gather_f64] [r::gather_f64];
        /// `t[i]`
        gather gather_f32(f32, I64) -> F32 = [|t: &[f32], i| t[wrap(i, t.len())]] [r::gather_f32] [r::gather_f32] [r::gather_f32];
        /// `t[i]`
        gather gather_i64(i64, I64) -> I64 = [|t: &[i64], i| t[wrap(i, t.len())]] [r::gather_i64] [r::gather_i64] [r::gather_i64];
        /// `t[i]`
        gather gather_i32(i32, I64) -> I32 = [|t: &[i32], i| t[wrap(i, t.len())]] [r::gather_i32] [r::gather_i32] [r::gather_i32];
        /// `t[i]`
        gather gather32_f64(f64, I32) -> F64 = [|t: &[f64], i| t[wrap(i64::from(i), t.len())]] [r::gather32_f64] [r::gather32_f64] [r::gather32_f64];
        /// `t[i]`
        gather gather32_f32(f32, I32) -> F32 = [|t: &[f32], i| t[wrap(i64::from(i), t.len())]] [r::gather32_f32] [r::gather32_f32] [r::gather32_f32];
        /// `t[i]`
        gather gather32_i64(i64, I32) -> I64 = [|t: &[i64], i| t[wrap(i64::from(i), t.len())]] [r::gather32_i64] [r::gather32_i64] [r::gather32_i64];
        /// `t[i]`
        gather gather32_i32(i32, I32) -> I32 = [|t: &[i32], i| t[wrap(i64::from(i), t.len())]] [r::gather32_i32] [r::gather32_i32] [r::gather32_i32];
    } };
}

/// The methods of one set, from its column: `operations!(column, avx2);`.
macro_rules! column {
    ({ $set:ident } $(
        $(#[$doc:meta])*
        $shape:ident $name:ident $args:tt $(-> $r:ident)? = [$($scalar:tt)*] [$($avx2:tt)*] [$($avx512:tt)*] [$($neon:tt)*];
    )+) => {$(
        column! { @$set ($shape $name $args $(-> $r)?) [$($scalar)*] [$($avx2)*] [$($avx512)*] [$($neon)*] }
    )+};
    (@scalar $row:tt $entry:tt $avx2:tt $avx512:tt $neon:tt) => { column! { @method $row $entry } };
    (@avx2 $row:tt $scalar:tt $entry:tt $avx512:tt $neon:tt) => { column! { @method $row $entry } };
    (@avx512 $row:tt $scalar:tt $avx2:tt $entry:tt $neon:tt) => { column! { @method $row $entry } };
    (@neon $row:tt $scalar:tt $avx2:tt $avx512:tt $entry:tt) => { column! { @method $row $entry } };
    // The trait's own.
    (@method $row:tt []) => {};
    (@method ($shape:ident $($row:tt)+) [$($entry:tt)+]) => { $shape! { $($row)+ = $($entry)+; } };
}

/// The methods of the trait.
macro_rules! declared {
    ({} $(
        $(#[$doc:meta])*
        $shape:ident $name:ident $args:tt $(-> $r:ident)? = $scalar:tt $avx2:tt $avx512:tt $neon:tt;
    )+) => {$(
        declared! { @$shape [$(#[$doc])*] $name $args $(-> $r)? }
    )+};
    (@splat [$($doc:tt)*] $name:ident($x:ty) -> $r:ident) => { $($doc)* fn $name(self, x: $x) -> Self::$r; };
    (@iota [$($doc:tt)*] $name:ident($x:ty) -> $r:ident) => { $($doc)* fn $name(self, start: $x) -> Self::$r; };
    (@load [$($doc:tt)*] $name:ident($x:ty) -> $r:ident) => { $($doc)* fn $name(self, x: &[$x]) -> Self::$r; };
    (@store [$($doc:tt)*] $name:ident($t:ident, $x:ty)) => { $($doc)* fn $name(self, v: Self::$t, out: &mut [$x]); };
    (@gather [$($doc:tt)*] $name:ident($x:ty, $i:ident) -> $r:ident) => {
        $($doc)* fn $name(self, t: &[$x], i: Self::$i) -> Self::$r;
    };
    (@registers $($row:tt)+) => { declared! { @units $($row)+ } };
    (@units [$($doc:tt)*] $name:ident($($a:ident: $t:ident),+) -> $r:ident) => {
        $($doc)* fn $name(self, $($a: Self::$t),+) -> Self::$r;
    };
    (@directed [$($doc:tt)*] $name:ident($($a:ident: $t:ident),+) -> $r:ident) => {
        $($doc)* fn $name(self, d: Direction, $($a: Self::$t),+) -> Self::$r;
    };
    (@instruction [$($doc:tt)*] $name:ident($a:ident: $t:ident) -> $r:ident) => {
        $($doc)*
        #[inline(always)]
        fn $name(self, $a: Self::$t) -> Option<Self::$r> {
            let _ = $a;
            None
        }
    };
    (@count [$($doc:tt)*] $name:ident($t:ident) -> $r:ident) => { $($doc)* fn $name(self, m: Self::$t) -> $r; };
    (@fences [$($doc:tt)*] $name:ident($t:ident)) => {
        $($doc)*
        #[inline(always)]
        fn $name(self, a: Self::$t) -> Self::$t {
            a
        }
    };
    (@order [$($doc:tt)*] $name:ident($t:ident)) => {
        $($doc)*
        #[inline(always)]
        fn $name(self, before: &mut Self::$t, after: &mut Self::$t) {
            let _ = (before, after);
        }
    };
}

/// The names of all operations.
#[cfg(test)]
macro_rules! names {
    ({} $( $(#[$doc:meta])* $shape:ident $name:ident $args:tt $(-> $r:ident)? = $scalar:tt $avx2:tt $avx512:tt $neon:tt; )+) => {
        #[allow(dead_code, reason = "for `tests/instruction-sets`, which compiles this file as well")]
        pub(crate) const NAMES: &[&str] = &[$(stringify!($name)),+];
    };
}
#[cfg(test)]
operations!(names);

pub(super) use {column, declared, operations};
