/** The reserves inequality (RES-1), with what both sides count deducted once. */

import { decimalToMicros } from '@venue/protocol';
import type { Reserves } from '@venue/sdk/browser';

/** The vault's side, in micros. */
export interface VaultFigures {
  readonly balance: bigint;
  readonly totalCommitted: bigint;
  readonly totalClaimed: bigint;
}

/** Every figure in dollars. */
export interface ReserveSums {
  readonly cash: number;
  readonly pending: number;
  /** Committed on chain and not yet recorded by the venue: both sides count it. */
  readonly inFlight: number;
  /** Recorded by the venue and not on chain: still owed. */
  readonly notOnChain: number;
  readonly owed: number;
  readonly balance: number;
  readonly committed: number;
  readonly free: number;
  /** Committed on chain beyond everything requested: any such amount fails the check. */
  readonly unasked: number;
  readonly holds: boolean;
}

/** Exact to the micro; the same arithmetic as the `venue reserves` command. */
export function reserveSums(venue: Reserves, vault: VaultFigures): ReserveSums {
  const cash = micros(venue.cashTotalUsd);
  const pending = micros(venue.pendingWithdrawalsUsd);
  const noted = micros(venue.committedWithdrawalsUsd) - micros(venue.paidBeforeUsd);
  const notNoted = vault.totalCommitted + vault.totalClaimed - noted;
  const inFlight = notNoted > pending ? pending : positive(notNoted);
  const unasked = positive(notNoted - pending);
  const notOnChain = positive(-notNoted);
  const owed = cash + pending - inFlight + notOnChain;
  const free = vault.balance - vault.totalCommitted;
  return {
    cash: usd(cash),
    pending: usd(pending),
    inFlight: usd(inFlight),
    notOnChain: usd(notOnChain),
    owed: usd(owed),
    balance: usd(vault.balance),
    committed: usd(vault.totalCommitted),
    free: usd(free),
    unasked: usd(unasked),
    holds: owed <= free && unasked === 0n,
  };
}

function micros(amountUsd: number): bigint {
  return BigInt(decimalToMicros(amountUsd) ?? Math.round(amountUsd * 1e6));
}

function usd(amountMicros: bigint): number {
  return Number(amountMicros) / 1e6;
}

function positive(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}
