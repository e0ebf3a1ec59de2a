/** Scenario lines about real money: deposits, releases, withdrawals, commits, and their results. */

import { formatDecimal, type Hex, sha256, toMicros } from '@venue/protocol';
import { isOutstanding } from '../src/state/custody.ts';
import { facts, type Verb, WHO } from './scenario-looks.ts';
import { authorization, succeeded } from './scenario-parts.ts';
import { addressOf, micros, type Venue } from './venue.ts';
import type { Words } from './words.ts';

export const CUSTODY: readonly (readonly [string, Verb])[] = [
  ['deposit', { run: deposit, usual: 'credited' }],
  ['release', { run: release }],
  ['withdraw', { run: withdraw }],
  ['commit', { run: commit }],
  ['payout', { run: payout }],
  ['custody', { run: custody }],
];

/** `deposit alice 100 log tx:0`: in block 7 with hash `b7`, unless `block 8` or `hash fork` says otherwise; `from vault` names one. */
function deposit(venue: Venue, words: Words): string {
  const address = addressOf(words.take());
  const amountMicros = micros(words.take());
  const [tx = '', logIndex = ''] = words.takeIf('log') ? words.take().split(':') : [];
  const blockNumber = words.takeIf('block') ? Number(words.take()) : 7;
  const blockHash = hashOf(words.takeIf('hash') ? words.take() : 'b7');
  const vault = words.takeIf('from') ? { vault: addressOf(words.take()), chainId: 1 } : {};
  const log = { txHash: hashOf(tx), logIndex: Number(logIndex), blockNumber, blockHash };
  const outcome = succeeded(venue.apply({ kind: 'deposit', address, amountMicros, ...log, ...vault }));
  return typeof outcome === 'string' ? outcome : outcome.status;
}

/** `release alice    released 100` */
function release(venue: Venue, words: Words): string {
  const outcome = succeeded(venue.apply({ kind: 'release', address: addressOf(words.take()) }));
  return typeof outcome === 'string' ? outcome : `released ${formatDecimal(outcome.releasedMicros)}`;
}

/** `withdraw alice 40 signed phone nonce +1s    payout 1`, `withdraw alice 61    refused need 61 have 60` */
function withdraw(venue: Venue, words: Words): string {
  const account = addressOf(words.take());
  const amountMicros = micros(words.take());
  const outcome = succeeded(
    venue.apply({ kind: 'withdraw', account, amountMicros, ...authorization(venue, words) }),
  );
  if (typeof outcome === 'string') return outcome;
  if ('payout' in outcome) return `payout ${outcome.payout.id}`;
  if ('leastMicros' in outcome) return `refused below ${formatDecimal(outcome.leastMicros)}`;
  return `refused need ${formatDecimal(outcome.needMicros)} have ${formatDecimal(outcome.haveMicros)}`;
}

/** `commit 1,2 in tx    committed 1,2` */
function commit(venue: Venue, words: Words): string {
  const named = words.take();
  const ids = named === 'none' ? [] : named.split(',').map(Number);
  words.takeIf('in');
  const outcome = succeeded(venue.apply({ kind: 'commit', ids, txHash: hashOf(words.take()) }));
  if (typeof outcome === 'string') return outcome;
  return `committed ${outcome.payouts.map(({ id }) => id).join(',') || 'none'}`;
}

/** `payout 1 in tx    owner alice amount 40 state committed`; `in tx` checks that it was committed there. */
function payout(venue: Venue, words: Words): Map<string, string> {
  const id = Number(words.take());
  const found = venue.state.custody.payouts.find((known) => known.id === id)!;
  const tx = words.takeIf('in') ? hashOf(words.take()) : null;
  const state = isOutstanding(found) ? 'requested' : found.voidedAt === null ? 'committed' : 'voided';
  const owner = WHO.find((name) => addressOf(name) === found.account.address) ?? 'nobody';
  const isThere = found.txHash === tx ? 'yes' : 'no';
  return facts({ owner, amount: found.amountMicros, state, there: isThere, number: String(found.payoutId) });
}

/** `custody    deposits 2 payouts 1 pending 40 committed 0 funded 60` */
function custody({ state }: Venue): Map<string, string> {
  const { deposits, payouts, pendingMicros, committedMicros } = state.custody;
  return facts({
    deposits: String(deposits.size),
    payouts: String(payouts.length),
    pending: toMicros(Number(pendingMicros)),
    committed: toMicros(Number(committedMicros)),
    funded: state.fundedMicros,
  });
}

/** The 32 bytes for a name. */
export function hashOf(name: string): Hex {
  return `0x${Buffer.from(sha256(Buffer.from(name))).toString('hex')}`;
}
