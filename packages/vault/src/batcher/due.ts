/** Which payouts are to be committed next, and which are on chain already although the exchange does not know. */

import { decimalToMicros, type Payout, parseAddress } from '@venue/protocol';
import type { Vault, VaultPayout } from '../chain/vault.ts';

/** The operator's list of payouts, ascending by id. */
export interface PayoutSource {
  payouts(scope: { state: 'requested' }): AsyncIterable<Payout>;
}

export interface DuePayouts {
  readonly due: readonly VaultPayout[];
  readonly onChain: readonly VaultPayout[];
  /** Payouts that cannot be committed, each with its reason. */
  readonly faults: readonly string[];
}

const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;
/** Payouts asked about together. */
const SLICE = 100;

/** Looks through the requested payouts until `batchMax` of them are due, as the chain stands at a block. */
export async function findDue(
  source: PayoutSource,
  vault: Vault,
  { batchMax, blockNumber }: { batchMax: number; blockNumber: number },
): Promise<DuePayouts> {
  const found = { due: [] as VaultPayout[], onChain: [] as VaultPayout[], faults: [] as string[] };
  let slice: VaultPayout[] = [];
  const sort = async () => {
    const flags = await vault.chain.rpc.each(slice, ({ id }) => vault.isPayoutCommitted(id, blockNumber));
    for (const [i, payout] of slice.entries()) (flags[i] ? found.onChain : found.due).push(payout);
    slice = [];
  };
  for await (const payout of source.payouts({ state: 'requested' })) {
    const row = rowOf(payout, vault);
    if (typeof row === 'string') found.faults.push(row);
    else slice.push(row);
    if (slice.length >= SLICE) await sort();
    if (found.due.length >= batchMax) break;
  }
  await sort();
  return { ...found, due: found.due.slice(0, batchMax) };
}

function rowOf({ id, amountUsd, address }: Payout, vault: Vault): VaultPayout | string {
  const amount = decimalToMicros(amountUsd);
  const account = parseAddress(address);
  if (!Number.isSafeInteger(id) || id < 0) return `a payout has the id ${id}`;
  if (amount === undefined || amount <= 0) return `payout ${id} has the amount ${amountUsd}`;
  if (account === undefined || account === ZERO_ADDRESS || account === vault.address)
    return `payout ${id} would go to ${address}`;
  return { id, account, amount };
}
