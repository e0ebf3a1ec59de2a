/** How far a transaction has come, and whether it can still come to anything. */

/** What a transaction was sent for. */
export type Purpose = 'allow' | 'deposit' | 'claim';

/** Kept in the browser, so that a page that was closed meanwhile goes on counting. */
export interface SentTransaction {
  readonly purpose: Purpose;
  readonly hash: `0x${string}`;
  /** Of the wallet; null where its node did not know the transaction yet. */
  readonly nonce: number | null;
  readonly amountMicros: number;
  readonly sentAtMs: number;
}

export type Progress =
  | { readonly stage: 'sent' }
  /** In a block, with so many on top of it. */
  | { readonly stage: 'mined'; readonly confirmations: number }
  /** Deep enough; the venue's books do not show it yet. */
  | { readonly stage: 'confirmed' }
  | { readonly stage: 'done' }
  /** In a block, and nothing moved. */
  | { readonly stage: 'failed' }
  /** Its number in the wallet's order went to another transaction. */
  | { readonly stage: 'replaced' };

export interface Evidence {
  readonly receipt: { readonly isSuccess: boolean; readonly blockNumber: number } | null;
  readonly headBlock: number;
  /** Transactions of the wallet that are in blocks. */
  readonly transactionCount: number;
  readonly confirmationsWanted: number;
  /** Whether the venue's statement has the deposit. */
  readonly isCredited: boolean;
}

/** What the chain and the venue say of a transaction; a block that is taken back brings it back to `sent`. */
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

/** Whether nothing more will come of it. */
export function isOver({ stage }: Progress): boolean {
  return stage === 'done' || stage === 'failed' || stage === 'replaced';
}

const STORED_MAX = 20;

/** Transactions of one wallet at one vault, in the storage of this browser; those of a damaged entry are forgotten. */
export class SentTransactions {
  readonly #storage: Pick<Storage, 'getItem' | 'setItem'>;
  readonly #key: string;

  constructor(storage: Pick<Storage, 'getItem' | 'setItem'>, key: string) {
    this.#storage = storage;
    this.#key = `venue sent ${key}`;
  }

  /** Newest first. */
  list(): SentTransaction[] {
    try {
      const value: unknown = JSON.parse(this.#storage.getItem(this.#key) ?? '[]');
      return Array.isArray(value) ? value.filter(isSent) : [];
    } catch {
      return [];
    }
  }

  /** Adds it, or replaces the one of that hash. */
  keep(sent: SentTransaction): void {
    const others = this.list().filter(({ hash }) => hash !== sent.hash);
    this.#write([sent, ...others].sort((a, b) => b.sentAtMs - a.sentAtMs));
  }

  forget(hash: string): void {
    this.#write(this.list().filter((sent) => sent.hash !== hash));
  }

  #write(list: readonly SentTransaction[]): void {
    try {
      this.#storage.setItem(this.#key, JSON.stringify(list.slice(0, STORED_MAX)));
    } catch {
      // Without storage a closed page forgets; the deposit is credited all the same.
    }
  }
}

function isSent(value: unknown): value is SentTransaction {
  const { purpose, hash, nonce, amountMicros, sentAtMs } = Object(value);
  return (
    ['allow', 'deposit', 'claim'].includes(purpose) &&
    /^0x[0-9a-f]{64}$/.test(hash) &&
    (nonce === null || Number.isSafeInteger(nonce)) &&
    [amountMicros, sentAtMs].every(Number.isSafeInteger)
  );
}
