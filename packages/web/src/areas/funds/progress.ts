/** Progress of a transaction, and whether it is final. */

import { membersOf, readKept, type Storage, writeKept } from '../../basics/kept.ts';

/** Purpose of a transaction; `reset` takes back what the vault was allowed and has not taken. */
export const PURPOSES = ['reset', 'allow', 'deposit', 'claim'] as const;
export type Purpose = (typeof PURPOSES)[number];

/** A transaction, as a line or a notice begins. */
export const TITLES: Readonly<Record<Purpose, string>> = {
  reset: 'Reset of an allowance',
  allow: 'Allowance',
  deposit: 'Deposit',
  claim: 'Claim',
};

/**
 * The transactions that bring the amount (micros) into the vault, in order. Tokens such as mainnet's USDT change no
 * allowance but from or to zero: one that is left over is reset first.
 */
export function depositSteps(
  { allowance, mustReset }: { readonly allowance: bigint; readonly mustReset: boolean },
  micros: bigint,
): Purpose[] {
  if (allowance >= micros) return ['deposit'];
  return mustReset ? ['reset', 'allow', 'deposit'] : ['allow', 'deposit'];
}

/** Stored in the browser, so that the page resumes after it was closed. */
export interface SentTransaction {
  readonly purpose: Purpose;
  readonly hash: `0x${string}`;
  /** The wallet's nonce; null where its node did not know the transaction yet. */
  readonly nonce: number | null;
  readonly amountMicros: number;
  readonly sentAtMs: number;
}

export type Progress =
  | { readonly stage: 'sent' }
  /** In a block, with this many on top. */
  | { readonly stage: 'mined'; readonly confirmations: number }
  /** Confirmed; the venue has not credited it yet. */
  | { readonly stage: 'confirmed' }
  | { readonly stage: 'done' }
  /** In a block, but reverted. */
  | { readonly stage: 'failed' }
  /** Its nonce was used by another transaction. */
  | { readonly stage: 'replaced' };

export interface Evidence {
  readonly receipt: { readonly isSuccess: boolean; readonly blockNumber: number } | null;
  readonly headBlock: number;
  /** Number of the wallet's transactions in blocks. */
  readonly transactionCount: number;
  readonly confirmationsWanted: number;
  /** True when the venue's statement has the deposit. */
  readonly isCredited: boolean;
}

/** A transaction's progress by the data of the chain and the venue; a reorganisation returns it to `sent`. */
export function progressOf({ purpose, nonce }: SentTransaction, evidence: Evidence): Progress {
  const { receipt, headBlock, transactionCount, confirmationsWanted, isCredited } = evidence;
  if (isCredited) return { stage: 'done' };
  if (receipt === null) {
    return nonce !== null && transactionCount > nonce ? { stage: 'replaced' } : { stage: 'sent' };
  }
  if (!receipt.isSuccess) return { stage: 'failed' };
  if (purpose !== 'deposit') return { stage: 'done' };
  const confirmations = Math.max(0, headBlock - receipt.blockNumber);
  return confirmations < confirmationsWanted ? { stage: 'mined', confirmations } : { stage: 'confirmed' };
}

/** True when nothing more will change. */
export function isOver({ stage }: Progress): boolean {
  return stage === 'done' || stage === 'failed' || stage === 'replaced';
}

const STORED_MAX = 20;

/** Transactions of one wallet at one vault, in the browser's storage; damaged entries are dropped. */
export class SentTransactions {
  readonly #storage: () => Storage;
  readonly #key: string;

  constructor(storage: () => Storage, key: string) {
    this.#storage = storage;
    this.#key = `venue sent ${key}`;
  }

  /** Newest first. */
  list(): SentTransaction[] {
    const value = readKept(this.#storage, this.#key);
    return Array.isArray(value) ? value.filter(isSent) : [];
  }

  /** Adds the transaction, or replaces the one with the same hash. */
  keep(sent: SentTransaction): void {
    const others = this.list().filter(({ hash }) => hash !== sent.hash);
    this.#write([sent, ...others].sort((a, b) => b.sentAtMs - a.sentAtMs));
  }

  forget(hash: string): void {
    this.#write(this.list().filter((sent) => sent.hash !== hash));
  }

  /** A list that cannot be kept is lost with the page; the deposit is credited regardless. */
  #write(list: readonly SentTransaction[]): void {
    writeKept(this.#storage, this.#key, list.slice(0, STORED_MAX));
  }
}

function isSent(value: unknown): value is SentTransaction {
  const { purpose, hash, nonce, amountMicros, sentAtMs } = membersOf(value);
  return (
    PURPOSES.some((one) => one === purpose) &&
    typeof hash === 'string' &&
    /^0x[0-9a-f]{64}$/.test(hash) &&
    (nonce === null || Number.isSafeInteger(nonce)) &&
    [amountMicros, sentAtMs].every(Number.isSafeInteger)
  );
}
