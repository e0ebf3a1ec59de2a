/** Decides, one payout after the other, which of those requested may be committed now (CUS-5, CUS-7, CUS-16). */

import type { Address, OperatorPayout } from '@venue/protocol';
import { type ApprovalTerms, isApproved } from './approvals.ts';
import type { Allowance } from './limits.ts';
import type { BatchPayout, PaidPayout } from './state.ts';
import type { Standing } from './words.ts';

export interface Verdict {
  /**
   * - `admitted`: it may be committed.
   * - `faulty`: a person has to find out what is behind it.
   * - `waits`: time or an approver lets it through.
   * - `unfunded`: there is too little money for it.
   */
  readonly kind: 'admitted' | 'faulty' | 'waits' | 'unfunded';
  /** Null where it is admitted, or waits for money alone. */
  readonly why: string | null;
  readonly payout: BatchPayout;
}

export interface AdmissionParts {
  /** The vault's balance beyond its commitments, in micros. */
  readonly freeMicros: bigint;
  readonly allowance: Allowance;
  readonly approval: ApprovalTerms;
  /** True if a payout without signed words is made like one with them. */
  readonly takesUnproven: boolean;
  /** Committed before by this batcher. */
  readonly paid: readonly PaidPayout[];
  readonly standingOf: (row: OperatorPayout) => Standing;
}

export class Admission {
  readonly #parts: AdmissionParts;
  /** The payout that each signed withdrawal is for: it pays once. */
  readonly #spent: Map<string, number>;
  readonly #judged = new Set<number>();
  #leftMicros: bigint;

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
    this.#leftMicros = parts.freeMicros;
    this.#spent = new Map(
      parts.paid.flatMap(({ id, withdrawal }) => (withdrawal ? [[keyOf(withdrawal), id]] : [])),
    );
  }

  /** In the order of the list: what is admitted is counted, so that it takes from those after it. */
  judge(row: OperatorPayout, shaped: Omit<BatchPayout, 'withdrawal'>): Verdict {
    const standing = this.#parts.standingOf(row);
    const withdrawal = standing.kind === 'proven' ? standing.withdrawal : null;
    const payout = { ...shaped, withdrawal };
    const isRepeated = this.#judged.has(payout.id);
    this.#judged.add(payout.id);
    if (isRepeated) return { kind: 'faulty', why: 'it is listed twice', payout };
    const fault = standing.kind === 'contradicted' ? standing.why : this.#spentFault(payout);
    if (fault !== null) return { kind: 'faulty', why: fault, payout };
    const why = this.#waitingFor(row, payout, standing);
    if (why !== null) return { kind: 'waits', why, payout };
    if (BigInt(payout.amount) > this.#leftMicros) return { kind: 'unfunded', why: null, payout };
    this.#leftMicros -= BigInt(payout.amount);
    this.#parts.allowance.count(payout);
    return { kind: 'admitted', why: null, payout };
  }

  /** Notes that the withdrawal behind a payout is spent, as the payout is on its way already. */
  spend(row: OperatorPayout, { id }: { readonly id: number }): void {
    const standing = this.#parts.standingOf(row);
    if (standing.kind === 'proven' && !this.#spent.has(keyOf(standing.withdrawal)))
      this.#spent.set(keyOf(standing.withdrawal), id);
  }

  #spentFault({ id, withdrawal }: BatchPayout): string | null {
    if (withdrawal === null) return null;
    const other = this.#spent.get(keyOf(withdrawal)) ?? id;
    this.#spent.set(keyOf(withdrawal), other);
    return other === id ? null : `its withdrawal was signed for payout ${other}`;
  }

  #waitingFor(row: OperatorPayout, payout: BatchPayout, standing: Standing): string | null {
    const { approval, takesUnproven, allowance } = this.#parts;
    if (isApproved(row.approvals, payout, approval)) return null;
    if (standing.kind === 'unproven' && !takesUnproven)
      return `${standing.why}: an approver has to sign for it`;
    return allowance.refusal(payout);
  }
}

function keyOf({ sessionKey, nonce }: { readonly sessionKey: Address; readonly nonce: number }): string {
  return `${sessionKey}:${nonce}`;
}
