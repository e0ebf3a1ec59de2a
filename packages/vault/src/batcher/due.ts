/** Selects the payouts to commit next, and those already on chain that the exchange has not recorded. */

import { type Address, decimalToMicros, type Payout, parseAddress } from '@venue/protocol';
import { each } from '../chain/rpc.ts';
import type { Vault, VaultPayout } from '../chain/vault.ts';

/** The operators' list of payouts, ascending by id. */
export interface PayoutSource {
  payouts(scope: { state: 'requested' }): AsyncIterable<Payout>;
}

export interface DuePayouts {
  readonly due: readonly VaultPayout[];
  readonly onChain: readonly VaultPayout[];
  /** Too small to be worth a commitment, until their accounts request more. */
  readonly dust: readonly VaultPayout[];
  /** Payouts that cannot be committed, each with its reason. */
  readonly faults: readonly string[];
}

const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;
/** Payouts queried together. */
const SLICE = 100;

export interface DueTerms {
  readonly batchMax: number;
  readonly payoutMinMicros: number;
  readonly blockNumber: number;
}

/**
 * Searches the requested payouts until `batchMax` of them are due, by the chain's state at a block. An account's
 * payouts are due from the one that brings their sum to the minimum.
 */
export async function findDue(
  source: PayoutSource,
  vault: Vault,
  { batchMax, payoutMinMicros, blockNumber }: DueTerms,
): Promise<DuePayouts> {
  const found = { due: [] as VaultPayout[], onChain: [] as VaultPayout[], faults: [] as string[] };
  const sieve = new Sieve(payoutMinMicros);
  const nobody = [ZERO_ADDRESS, vault.address, await vault.token()];
  let slice: VaultPayout[] = [];
  const sort = async () => {
    const flags = await each(slice, ({ id }) => vault.isPayoutCommitted(id, blockNumber));
    for (const [i, payout] of slice.entries()) {
      if (flags[i]) found.onChain.push(payout);
      else found.due.push(...sieve.add(payout));
    }
    slice = [];
  };
  for await (const payout of source.payouts({ state: 'requested' })) {
    const row = rowOf(payout, nobody);
    if (typeof row === 'string') found.faults.push(row);
    else slice.push(row);
    if (slice.length >= SLICE) await sort();
    if (found.due.length >= batchMax) break;
  }
  await sort();
  return { ...found, due: found.due.slice(0, batchMax), dust: sieve.held() };
}

/** Holds each account's payouts back until their sum is worth a commitment. */
class Sieve {
  readonly #minMicros: number;
  readonly #accounts = new Map<Address, { sumMicros: number; held: VaultPayout[] }>();

  constructor(minMicros: number) {
    this.#minMicros = minMicros;
  }

  /** Returns the payouts that become due through this one. */
  add(payout: VaultPayout): VaultPayout[] {
    const before = this.#accounts.get(payout.account) ?? { sumMicros: 0, held: [] };
    const sumMicros = before.sumMicros + payout.amount;
    const all = [...before.held, payout];
    const isEnough = sumMicros >= this.#minMicros;
    this.#accounts.set(payout.account, { sumMicros, held: isEnough ? [] : all });
    return isEnough ? all : [];
  }

  held(): VaultPayout[] {
    return [...this.#accounts.values()].flatMap(({ held }) => held);
  }
}

/** `nobody` are addresses from which an entitlement could never be claimed. */
function rowOf({ id, amountUsd, address }: Payout, nobody: readonly string[]): VaultPayout | string {
  const amount = decimalToMicros(amountUsd);
  const account = parseAddress(address);
  if (!Number.isSafeInteger(id) || id < 0) return `a payout has the id ${id}`;
  if (amount === undefined || amount <= 0) return `payout ${id} has the amount ${amountUsd}`;
  if (account === undefined || nobody.includes(account)) return `payout ${id} would go to ${address}`;
  return { id, account, amount };
}
