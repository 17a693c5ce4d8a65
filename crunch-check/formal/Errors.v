(* The theorem of the errors: docs/book/src/understand/cell-bounds.md, "Errors". *)

Require Import Reals Lra Lia.
Require Import Sums.
Open Scope R_scope.

(* The secants. Va, Vb are computed operands, Sa, Sb their values without rounding. *)
Section Secants.
Variables Va Vb Sa Sb Vc Sc : R.

Theorem of_sum : (Va + Vb) - (Sa + Sb) = 1 * (Va - Sa) + 1 * (Vb - Sb).
Proof. ring. Qed.

Theorem of_difference : (Va - Vb) - (Sa - Sb) = 1 * (Va - Sa) + (-1) * (Vb - Sb).
Proof. ring. Qed.

Theorem of_product : Va * Vb - Sa * Sb = Vb * (Va - Sa) + Sa * (Vb - Sb).
Proof. ring. Qed.

Theorem of_fused : (Va * Vb + Vc) - (Sa * Sb + Sc) = Vb * (Va - Sa) + Sa * (Vb - Sb) + 1 * (Vc - Sc).
Proof. ring. Qed.

Theorem of_quotient : Vb <> 0 -> Sb <> 0 ->
  Va / Vb - Sa / Sb = / Vb * (Va - Sa) + (- (Sa / Sb) / Vb) * (Vb - Sb).
Proof. intros HV HS. field. now split. Qed.

(* The sum of the roots must not be zero: next to zero there is no slope. *)
Theorem of_root : 0 <= Va -> 0 <= Sa -> sqrt Va + sqrt Sa <> 0 ->
  sqrt Va - sqrt Sa = / (sqrt Va + sqrt Sa) * (Va - Sa).
Proof.
  intros HV HS H.
  apply Rmult_eq_reg_l with (sqrt Va + sqrt Sa); [|exact H].
  rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by exact H.
  pose proof (sqrt_sqrt Va HV). pose proof (sqrt_sqrt Sa HS). lra.
Qed.
End Secants.

(* n operations with slopes g of their operands, errors e, and roundings r of their own. *)
Section Weights.
Variables (n out : nat) (g : nat -> nat -> R) (e r W : nat -> R).
Hypothesis is_one : (out < n)%nat.
Hypothesis recursion : forall i, (i < n)%nat -> e i = sum n (fun j => g i j * e j) + r i.
(* No operation has the result as its operand. *)
Hypothesis last : forall i, (i < n)%nat -> g i out = 0.
Hypothesis weight_out : W out = 1.
Hypothesis weights : forall j, (j < n)%nat -> j <> out -> W j = sum n (fun i => W i * g i j).

Theorem error_of_the_result : e out = sum n (fun i => W i * r i).
Proof.
  assert (H1 : sum n (fun i => W i * e i)
               = sum n (fun j => sum n (fun i => W i * g i j) * e j) + sum n (fun i => W i * r i)).
  { rewrite (sum_ext n (fun i => W i * e i)
              (fun i => sum n (fun j => W i * g i j * e j) + W i * r i)).
    - rewrite sum_plus, sum_swap. f_equal. apply sum_ext. intros j _.
      rewrite (sum_ext n _ (fun i => e j * (W i * g i j))) by (intros; ring).
      rewrite sum_scale. ring.
    - intros i Hi. rewrite (recursion i Hi) at 1.
      rewrite (sum_ext n (fun j => W i * g i j * e j) (fun j => W i * (g i j * e j)))
        by (intros; ring).
      rewrite sum_scale. ring. }
  rewrite (sum_split n (fun i => W i * e i) out is_one) in H1.
  rewrite (sum_split n (fun j => sum n (fun i => W i * g i j) * e j) out is_one) in H1.
  assert (H2 : sum n (fun i => W i * g i out) = 0).
  { rewrite (sum_ext n _ (fun _ => 0)); [apply sum_zero|].
    intros i Hi. rewrite last by exact Hi. ring. }
  assert (H3 : sum n (fun j => if Nat.eqb j out then 0 else W j * e j)
               = sum n (fun j => if Nat.eqb j out then 0 else sum n (fun i => W i * g i j) * e j)).
  { apply sum_ext. intros j Hj. destruct (Nat.eqb_spec j out) as [|Hne]; [reflexivity|].
    now rewrite (weights j Hj Hne). }
  cbv beta in H1. rewrite H2, H3, weight_out in H1. lra.
Qed.
End Weights.

Print Assumptions of_root.
Print Assumptions error_of_the_result.
