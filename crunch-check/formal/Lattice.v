(* The lemmas that crunch-check's lattices rest on: docs/book/src/understand/lemmas.md, Lemmas 1 to 3 and the theorem of
   enumeration; docs/book/src/understand/checker.md, Lemma 4.

   Reals are those of the standard library, and rounding to nearest with ties to even is Flocq's. What is not stated here: that the
   program's matrices and bounds are those of a run, and that its arithmetic is what its types promise. *)

Require Import Reals Lra Lia ZArith.
From Flocq Require Import Core.
Require Import Sums.
Open Scope R_scope.

(* ---- Lemmas 1 and 3: windows and the plane ---- *)

Section Windows.

(* n roundings with weights W and errors d in units, the method's error A, and bounds of them, as the program has them. *)
Variables (n : nat) (W d w : nat -> R) (A Amax L : R).
Hypothesis errors : forall j, (j < n)%nat -> Rabs (d j) <= / 2.
Hypothesis weights : forall j, (j < n)%nat -> Rabs (W j) <= w j.
Hypothesis method : A <= Amax.

Definition total := sum n (fun j => W j * d j) + A.
Definition slack := sum n (fun j => w j / 2) + Amax - L.

Lemma term_le j : (j < n)%nat -> Rabs (W j * d j) <= w j / 2.
Proof.
  intros Hj. rewrite Rabs_mult.
  pose proof (errors j Hj). pose proof (weights j Hj).
  pose proof (Rabs_pos (W j)). pose proof (Rabs_pos (d j)). nra.
Qed.

(* The sign of a weight times its error. *)
Definition toward i := if Rle_dec 0 (W i) then d i else - d i.

Lemma toward_abs i : Rabs (W i) * toward i = W i * d i.
Proof.
  unfold toward. destruct (Rle_dec 0 (W i)) as [H|H].
  - rewrite Rabs_pos_eq by lra. reflexivity.
  - rewrite Rabs_left by lra. lra.
Qed.

(* Lemma 1. The window is taken with the least magnitude m of the weight. *)
Theorem windows i m : (i < n)%nat -> 0 < m <= Rabs (W i) -> total >= L ->
  toward i >= / 2 - slack / m.
Proof.
  intros Hi Hm HE.
  assert (Hother : sum n (fun j => if Nat.eqb j i then 0 else W j * d j)
                   <= sum n (fun j => if Nat.eqb j i then 0 else w j / 2)).
  { apply sum_le. intros j Hj. destruct (Nat.eqb j i); [lra|].
    eapply Rle_trans; [apply Rle_abs|]. now apply term_le. }
  unfold total in HE. rewrite (sum_split n _ i Hi) in HE.
  rewrite <- (toward_abs i) in HE.
  pose proof (sum_split n (fun j => w j / 2) i Hi) as Hsplit. cbv beta in Hsplit.
  assert (Hw : Rabs (W i) <= w i) by now apply weights.
  assert (Hprod : Rabs (W i) * toward i >= Rabs (W i) / 2 - slack).
  { unfold slack. rewrite Hsplit. lra. }
  assert (Hs : 0 <= slack).
  { assert (Rabs (W i) * toward i <= Rabs (W i) / 2).
    { pose proof (errors i Hi). pose proof (Rabs_pos (W i)).
      assert (toward i <= / 2).
      { unfold toward. destruct (Rle_dec 0 (W i)).
        - eapply Rle_trans; [apply Rle_abs|assumption].
        - eapply Rle_trans; [apply Rle_abs|]. now rewrite Rabs_Ropp. }
      nra. }
    lra. }
  assert (Hdiv : slack / Rabs (W i) <= slack / m).
  { unfold Rdiv. apply Rmult_le_compat_l; [exact Hs|]. apply Rinv_le; lra. }
  assert (Hpos : 0 < Rabs (W i)) by lra.
  assert (Hgoal : toward i >= / 2 - slack / Rabs (W i)).
  { assert (Heq : Rabs (W i) * (/ 2 - slack / Rabs (W i)) = Rabs (W i) / 2 - slack)
      by (field; lra).
    apply Rle_ge. apply Rmult_le_reg_l with (1 := Hpos). lra. }
  lra.
Qed.

(* Lemma 3. The operations of [inside] are coordinates. *)
Theorem plane (inside : nat -> bool) : total >= L ->
  sum n (fun j => if inside j then W j * d j else 0)
    >= L - Amax - sum n (fun j => if inside j then 0 else w j / 2).
Proof.
  intros HE. unfold total in HE.
  assert (Hsplit : sum n (fun j => W j * d j)
                   = sum n (fun j => if inside j then W j * d j else 0)
                     + sum n (fun j => if inside j then 0 else W j * d j)).
  { rewrite <- sum_plus. apply sum_ext. intros j _. destruct (inside j); lra. }
  assert (Hother : sum n (fun j => if inside j then 0 else W j * d j)
                   <= sum n (fun j => if inside j then 0 else w j / 2)).
  { apply sum_le. intros j Hj. destruct (inside j); [lra|].
    eapply Rle_trans; [apply Rle_abs|]. now apply term_le. }
  lra.
Qed.

End Windows.

(* ---- Lemma 2: ties ---- *)

(* A tie goes to the even integer: Flocq's rounding does what is used of it below. *)
Lemma tie_is_even (x : R) :
  Rabs (IZR (ZnearestE x) - x) = / 2 -> Z.even (ZnearestE x) = true.
Proof.
  intros H.
  assert (Hhalf : x - IZR (Zfloor x) = / 2).
  { destruct (Znearest_DN_or_UP (fun t => negb (Z.even t)) x) as [E|E];
      rewrite E in H.
    - pose proof (Zfloor_lb x). rewrite Rabs_minus_sym, Rabs_pos_eq in H; lra.
    - destruct (Req_dec (IZR (Zfloor x)) x) as [Hint|Hint].
      + rewrite <- Hint in H at 1. rewrite Zceil_IZR in H.
        pose proof (Zfloor_lb x). rewrite Rabs_minus_sym, Rabs_pos_eq in H; lra.
      + rewrite (Zceil_floor_neq x Hint), plus_IZR in H.
        pose proof (Zfloor_ub x). rewrite Rabs_pos_eq in H; lra. }
  unfold Znearest. rewrite Rcompare_Eq by exact Hhalf.
  destruct (Z.even (Zfloor x)) eqn:Hev; simpl; [exact Hev|].
  rewrite Zceil_floor_neq by lra.
  rewrite Z.even_add, Hev. reflexivity.
Qed.

Section Ties.

(* The exact result of a sum is a / 2^g units, and K is the result. g is at least 1: with g = 0 nothing is rounded, and the
   statement is false. *)
Variables (a g : Z) (s m : R).
Hypothesis fine : (1 <= g)%Z.
Definition exact_result := IZR a * / IZR (2 ^ g).
Definition K := ZnearestE exact_result.
Definition delta := IZR K - exact_result.
Hypothesis narrow : 0 < m.
Hypothesis certain : s < m * / IZR (2 ^ g).

Lemma scale_pos : 0 < IZR (2 ^ g).
Proof. apply IZR_lt. apply Z.pow_pos_nonneg; lia. Qed.

(* The error is a whole number of 2^-g. *)
Lemma delta_grid : exists b : Z, delta * IZR (2 ^ g) = IZR b.
Proof.
  exists (K * 2 ^ g - a)%Z. unfold delta, exact_result.
  rewrite minus_IZR, mult_IZR. pose proof scale_pos. field. lra.
Qed.

Lemma delta_half : Rabs delta <= / 2.
Proof.
  unfold delta. rewrite Rabs_minus_sym. apply Znearest_half.
Qed.

Lemma half_is_whole : / 2 * IZR (2 ^ g) = IZR (2 ^ (g - 1)).
Proof.
  replace (2 ^ g)%Z with (2 * 2 ^ (g - 1))%Z.
  - rewrite mult_IZR. lra.
  - rewrite <- Z.pow_succ_r by lia. f_equal. lia.
Qed.

(* Lemma 2, for both signs of the weight: sigma is 1 or -1, and the premise is the conclusion of Lemma 1. *)
Theorem ties (sigma : R) : sigma = 1 \/ sigma = -1 ->
  sigma * delta >= / 2 - s / m ->
  delta = sigma / 2 /\ Z.even K = true.
Proof.
  intros Hs Hw.
  pose proof scale_pos as Hp.
  assert (Hsm : s / m < / IZR (2 ^ g)).
  { apply Rmult_lt_reg_r with (1 := narrow). unfold Rdiv.
    rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (Hd : sigma * delta = / 2).
  { destruct delta_grid as [b Hb].
    set (c := if Req_EM_T sigma 1 then b else (- b)%Z).
    assert (Hc : sigma * delta * IZR (2 ^ g) = IZR c).
    { unfold c. destruct (Req_EM_T sigma 1) as [->|Hne].
      - rewrite <- Hb. ring.
      - destruct Hs as [Hs|Hs]; [contradiction|]. rewrite Hs, opp_IZR, <- Hb. ring. }
    assert (Hup : (c <= 2 ^ (g - 1))%Z).
    { apply le_IZR. rewrite <- Hc, <- half_is_whole.
      apply Rmult_le_compat_r; [lra|].
      pose proof delta_half as Hh. apply Rabs_le_inv in Hh.
      destruct Hs as [->| ->]; lra. }
    assert (Hlow : (2 ^ (g - 1) - 1 < c)%Z).
    { apply lt_IZR. rewrite minus_IZR, <- Hc, <- half_is_whole.
      assert (Hm : (/ 2 - / IZR (2 ^ g)) * IZR (2 ^ g) = / 2 * IZR (2 ^ g) - 1)
        by (field; lra).
      rewrite <- Hm. apply Rmult_lt_compat_r; lra. }
    assert (Heq : c = (2 ^ (g - 1))%Z) by lia.
    apply Rmult_eq_reg_r with (IZR (2 ^ g)); [|lra].
    rewrite Hc, Heq, half_is_whole. reflexivity. }
  split.
  - destruct Hs as [->| ->]; lra.
  - apply tie_is_even. fold K. fold delta.
    destruct Hs as [Hs|Hs]; rewrite Hs in Hd.
    + replace delta with (/ 2) by lra. apply Rabs_pos_eq. lra.
    + replace delta with (- / 2) by lra. rewrite Rabs_Ropp. apply Rabs_pos_eq. lra.
Qed.

End Ties.

(* What a tie determines. Its exact result is c + i m + sum G k for all executions of a run, with constant slopes: i is that of the
   input. Two executions that are both ties on the same side then differ by integers that satisfy the same sum, and the result's
   difference is even. Without the term i the statement is false, as the input moves the exact result. *)
Section Determined.

Variables (n : nat) (c i : R) (G : nat -> R) (side : R).
Variables (steps steps' : Z) (k k' : nat -> Z) (K0 K1 : Z).
Definition value (m : Z) (k : nat -> Z) := c + i * IZR m + sum n (fun j => G j * IZR (k j)).
Hypothesis tie : IZR K0 - value steps k = side.
Hypothesis tie' : IZR K1 - value steps' k' = side.
Hypothesis even : Z.even K0 = true.
Hypothesis even' : Z.even K1 = true.

Theorem determined :
  IZR (K1 - K0) = i * IZR (steps' - steps) + sum n (fun j => G j * IZR (k' j - k j))
  /\ Z.even (K1 - K0) = true.
Proof.
  split.
  - assert (Hs : sum n (fun j => G j * IZR (k' j - k j))
                 = sum n (fun j => G j * IZR (k' j)) - sum n (fun j => G j * IZR (k j))).
    { rewrite (sum_ext n _ (fun j => G j * IZR (k' j) + (-1) * (G j * IZR (k j)))).
      - rewrite sum_plus, sum_scale. lra.
      - intros j _. rewrite minus_IZR. ring. }
    rewrite Hs, !minus_IZR. unfold value in *. lra.
  - rewrite Z.even_sub, even, even'. reflexivity.
Qed.

(* An operand with a slope that is not zero is determined by the rest. *)
Theorem operand q : (q < n)%nat -> G q <> 0 ->
  IZR (k' q - k q)
  = (IZR (K1 - K0) - i * IZR (steps' - steps)
     - sum n (fun j => if Nat.eqb j q then 0 else G j * IZR (k' j - k j))) / G q.
Proof.
  intros Hq HG. destruct determined as [H _].
  rewrite (sum_split n _ q Hq) in H. rewrite H. field. exact HG.
Qed.

End Determined.

(* ---- Lemma 4: the level ---- *)

Theorem level (X : Type) (error : X -> R) (stretch listed : X -> Prop) (B L : R) :
  L <= B ->
  (forall x, stretch x -> error x >= L -> listed x) ->
  (forall x, listed x -> error x <= B) ->
  forall x, stretch x -> error x <= B.
Proof.
  intros HL Hall Hlist x Hx.
  destruct (Rle_or_lt (error x) B) as [H|H]; [exact H|].
  apply Hlist, Hall; [exact Hx|lra].
Qed.

(* ---- The theorem of enumeration ---- *)

Section Enumeration.

Variables (n : nat).
Definition vector := nat -> R.
Definition matrix := nat -> nat -> R.
Definition apply (M : matrix) (x : vector) : vector := fun r => sum n (fun c => M r c * x c).
Definition unit_matrix : matrix := fun r c => if Nat.eqb r c then 1 else 0.

Variables (B T T' D Rm : matrix) (u : vector) (e : R).
(* T' is the inverse of T on integer points; D is B T. *)
Hypothesis product : forall r k, (r < n)%nat -> (k < n)%nat -> D r k = sum n (fun c => B r c * T c k).
Hypothesis inverse : forall x r, (r < n)%nat -> apply T (apply T' x) r = x r.
Definition eps : matrix := fun r k => sum n (fun c => Rm r c * D c k) - unit_matrix r k.
Hypothesis small : forall r, (r < n)%nat -> sum n (fun k => Rabs (eps r k)) <= e.
Hypothesis contraction : e < 1.

Lemma apply_ext M x y r : (forall c, (c < n)%nat -> x c = y c) -> apply M x r = apply M y r.
Proof. intros H. apply sum_ext. intros c Hc. now rewrite H. Qed.

Lemma apply_plus M x y r : apply M (fun q => x q + y q) r = apply M x r + apply M y r.
Proof.
  unfold apply. rewrite <- sum_plus. apply sum_ext. intros c _. ring.
Qed.

Lemma apply_product M N x r :
  apply M (apply N x) r = sum n (fun k => sum n (fun c => M r c * N c k) * x k).
Proof.
  unfold apply.
  rewrite (sum_ext n _ (fun c => sum n (fun k => M r c * (N c k * x k)))).
  - rewrite sum_swap. apply sum_ext. intros k _.
    rewrite (sum_ext n _ (fun c => x k * (M r c * N c k))).
    + rewrite sum_scale. ring.
    + intros c _. ring.
  - intros c _. now rewrite <- sum_scale.
Qed.

Variables (p : vector).
Definition z := apply T' p.
(* A point of the cube. *)
Hypothesis inside : forall r, (r < n)%nat -> Rabs (u r + apply B p r) <= 1.

Lemma in_new_basis r : (r < n)%nat -> apply D z r = apply B p r.
Proof.
  intros Hr. unfold z.
  rewrite <- (apply_ext B (apply T (apply T' p)) p r) by (intros; now apply inverse).
  rewrite (apply_product B T). unfold apply at 1.
  apply sum_ext. intros k Hk. now rewrite product.
Qed.

Definition norm1 r := sum n (fun c => Rabs (Rm r c)).

Lemma identity r : (r < n)%nat ->
  z r + apply Rm u r
  = apply Rm (fun q => u q + apply B p q) r - sum n (fun k => eps r k * z k).
Proof.
  intros Hr.
  assert (H1 : apply Rm (fun q => u q + apply B p q) r = apply Rm u r + apply Rm (apply D z) r).
  { rewrite <- (apply_ext Rm (fun q => u q + apply D z q)).
    - apply apply_plus.
    - intros c Hc. now rewrite in_new_basis. }
  assert (H2 : apply Rm (apply D z) r = sum n (fun k => eps r k * z k) + z r).
  { rewrite apply_product.
    rewrite (sum_ext n _ (fun k => eps r k * z k + unit_matrix r k * z k)).
    - rewrite sum_plus. f_equal.
      rewrite (sum_split n _ r Hr). unfold unit_matrix at 1. rewrite Nat.eqb_refl.
      rewrite (sum_ext n _ (fun _ => 0)).
      + rewrite sum_zero. ring.
      + intros j Hj. unfold unit_matrix. rewrite (Nat.eqb_sym r j).
        destruct (Nat.eqb j r); ring.
    - intros k _. unfold eps. ring. }
  lra.
Qed.

Lemma cube_part r : (r < n)%nat -> Rabs (apply Rm (fun q => u q + apply B p q) r) <= norm1 r.
Proof.
  intros Hr. unfold apply at 1. eapply Rle_trans; [apply sum_abs|].
  apply sum_le. intros c Hc. rewrite Rabs_mult.
  pose proof (inside c Hc). pose proof (Rabs_pos (Rm r c)). nra.
Qed.

(* The first statement of the theorem, with any bound Z of the integers. *)
Theorem interval Z r : (forall k, (k < n)%nat -> Rabs (z k) <= Z) -> (r < n)%nat ->
  Rabs (z r + apply Rm u r) <= norm1 r + e * Z.
Proof.
  intros HZ Hr. rewrite identity by exact Hr.
  unfold Rminus. eapply Rle_trans; [apply Rabs_triang|].
  apply Rplus_le_compat; [now apply cube_part|].
  rewrite Rabs_Ropp. eapply Rle_trans; [apply sum_abs|].
  assert (Hpos : 0 <= Z).
  { eapply Rle_trans; [apply Rabs_pos|]. now apply (HZ r). }
  apply Rle_trans with (sum n (fun k => Z * Rabs (eps r k))).
  - apply sum_le. intros k Hk. rewrite Rabs_mult.
    pose proof (HZ k Hk). pose proof (Rabs_pos (eps r k)). nra.
  - rewrite sum_scale. pose proof (small r Hr). nra.
Qed.

Lemma largest (x : vector) m : (0 < m)%nat ->
  exists k, (k < m)%nat /\ forall j, (j < m)%nat -> Rabs (x j) <= Rabs (x k).
Proof.
  induction m as [|m IH]; intros Hm; [lia|].
  destruct m as [|m].
  - exists O. split; [lia|]. intros j Hj. replace j with O by lia. lra.
  - destruct IH as [k [Hk Hall]]; [lia|].
    destruct (Rle_dec (Rabs (x k)) (Rabs (x (S m)))) as [H|H].
    + exists (S m). split; [lia|]. intros j Hj.
      destruct (Nat.eq_dec j (S m)) as [->|]; [lra|].
      eapply Rle_trans; [apply Hall; lia|exact H].
    + exists k. split; [lia|]. intros j Hj.
      destruct (Nat.eq_dec j (S m)) as [->|]; [lra|]. apply Hall. lia.
Qed.

(* The second statement: C is a bound of all |R u| + |R|_1. *)
Theorem reach C : (0 < n)%nat ->
  (forall r, (r < n)%nat -> Rabs (apply Rm u r) + norm1 r <= C) ->
  forall r, (r < n)%nat -> Rabs (z r) <= C / (1 - e).
Proof.
  intros Hn HC r Hr.
  destruct (largest z n Hn) as [k [Hk Hall]].
  pose proof (interval (Rabs (z k)) k Hall Hk) as Hi.
  pose proof (HC k Hk) as Hc.
  assert (Ht : Rabs (z k) <= Rabs (z k + apply Rm u k) + Rabs (apply Rm u k)).
  { replace (z k) with ((z k + apply Rm u k) + - apply Rm u k) at 1 by ring.
    eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp. lra. }
  eapply Rle_trans; [now apply Hall|].
  apply Rmult_le_reg_r with (1 - e); [lra|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

End Enumeration.

(* The axioms that all of this needs: those of the real numbers. *)
Print Assumptions windows.
Print Assumptions plane.
Print Assumptions ties.
Print Assumptions operand.
Print Assumptions level.
Print Assumptions interval.
Print Assumptions reach.
