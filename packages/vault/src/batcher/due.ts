/** Selects the payouts to commit next, and those already on chain that the exchange has not recorded. */

import { type Address, decimalToMicros, type OperatorPayout, parseAddress } from '@venue/protocol';
import { each } from '../chain/rpc.ts';
import type { Vault } from '../events/vault.ts';
import type { Admission, Verdict } from './admission.ts';
import type { BatchPayout } from './state.ts';

/** The operators' list of payouts, ascending by id. */
export interface PayoutSource {
  payouts(scope: { state: 'requested' }): AsyncIterable<OperatorPayout>;
}

export interface DuePayouts {
  readonly due: readonly BatchPayout[];
  readonly onChain: readonly BatchPayout[];
  /** The other payouts that were looked at, with the reason that each waits for; null where only money is missing. */
  readonly held: readonly HeldPayout[];
}

export interface HeldPayout {
  readonly row: OperatorPayout;
  readonly kind: 'faulty' | 'waits' | 'unfunded';
  readonly why: string | null;
}

export interface DueTerms {
  readonly batchMax: number;
  readonly blockNumber: number;
  /** Payouts that are on their way already, by their numbers in the vault, and why they wait there. */
  readonly underway: { readonly ids: ReadonlySet<number>; readonly why: string };
  /** Asked for once, and only if there is a payout to judge. */
  readonly admission: () => Promise<Admission>;
}

const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;
/** Payouts queried together. */
const SLICE = 100;
/** A payout that was held when the chain was asked about it is asked about again only after this time. */
const ASK_AGAIN_MS = 600_000;

/** Finds due payouts round after round. */
export class DueFinder {
  readonly #source: PayoutSource;
  readonly #vault: Vault;
  /** When the chain was last asked about a payout that was held, and was not on chain. */
  readonly #askedAtMs = new Map<number, number>();

  constructor(source: PayoutSource, vault: Vault) {
    this.#source = source;
    this.#vault = vault;
  }

  /** Searches the requested payouts until `batchMax` of them are due, by the chain's state at a block. */
  async find({ batchMax, blockNumber, underway, admission }: DueTerms): Promise<DuePayouts> {
    const found = { due: [] as BatchPayout[], onChain: [] as BatchPayout[], held: [] as HeldPayout[] };
    const nobody = [ZERO_ADDRESS, this.#vault.address, await this.#vault.token()];
    let slice: Judged[] = [];
    const sort = async () => {
      const flags = await each(slice, (judged) => this.#isOnChain(judged, blockNumber));
      for (const [i, { row, kind, why, payout }] of slice.entries()) {
        if (flags[i]) found.onChain.push(payout);
        else if (kind === 'admitted') found.due.push(payout);
        else found.held.push({ row, kind, why });
      }
      slice = [];
    };
    const listed = new Set<number>();
    for await (const row of this.#source.payouts({ state: 'requested' })) {
      listed.add(row.payoutId);
      if (underway.ids.has(row.payoutId)) {
        (await admission()).spend(row, { id: row.payoutId });
        found.held.push({ row, kind: 'waits', why: underway.why });
        continue;
      }
      const shaped = shapeOf(row, nobody);
      if (typeof shaped === 'string') found.held.push({ row, kind: 'faulty', why: shaped });
      else slice.push({ row, ...(await admission()).judge(row, shaped) });
      if (slice.length >= SLICE) await sort();
      if (found.due.length >= batchMax) break;
    }
    await sort();
    for (const id of this.#askedAtMs.keys()) if (!listed.has(id)) this.#askedAtMs.delete(id);
    return { ...found, due: found.due.slice(0, batchMax) };
  }

  async #isOnChain({ payout, kind }: Judged, blockNumber: number): Promise<boolean> {
    const isHeld = kind !== 'admitted';
    const askedAtMs = this.#askedAtMs.get(payout.id);
    if (isHeld && askedAtMs !== undefined && performance.now() - askedAtMs < ASK_AGAIN_MS) return false;
    const isOnChain = await this.#vault.isPayoutCommitted(payout.id, blockNumber);
    if (isHeld && !isOnChain) this.#askedAtMs.set(payout.id, performance.now());
    else this.#askedAtMs.delete(payout.id);
    return isOnChain;
  }
}

interface Judged extends Verdict {
  readonly row: OperatorPayout;
}

/** `nobody` are addresses from which an entitlement could never be claimed. */
function shapeOf(
  { id, payoutId, amountUsd, address }: OperatorPayout,
  nobody: readonly string[],
): Omit<BatchPayout, 'withdrawal'> | string {
  const amount = decimalToMicros(amountUsd);
  const account = parseAddress(address);
  if (![id, payoutId].every((count) => Number.isSafeInteger(count) && count >= 0))
    return 'its number is malformed';
  if (amount === undefined || amount <= 0) return `it has the amount ${amountUsd}`;
  if (account === undefined || nobody.includes(account)) return `it would go to ${address}`;
  return { id: payoutId, ledgerId: id, account: account as Address, amount };
}
