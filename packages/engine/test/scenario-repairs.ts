/** Scenario lines about the vault that the ledger is bound to, and about what operators put right. */

import { formatDecimal, type Micros } from '@venue/protocol';
import type { Command } from '../src/entry/command.ts';
import { hashOf } from './scenario-custody.ts';
import type { Verb } from './scenario-looks.ts';
import { succeeded } from './scenario-parts.ts';
import { addressOf, micros, type Venue } from './venue.ts';
import type { Words } from './words.ts';

export const REPAIRS: readonly (readonly [string, Verb])[] = [
  ['bind', { run: bind, usual: 'bound' }],
  [
    'epoch',
    { run: (venue, words) => done(venue, { kind: 'epoch', epoch: count(words), reason }), usual: 'done' },
  ],
  ['adopt', { run: adopt }],
  ['void', { run: (venue, words) => done(venue, { kind: 'void', id: count(words), reason }), usual: 'done' }],
  ['freeze', { run: (venue, words) => freeze(venue, words, true), usual: 'done' }],
  ['unfreeze', { run: (venue, words) => freeze(venue, words, false), usual: 'done' }],
  ['hold', { run: (venue, words) => doubt(venue, words, 'hold-deposit') }],
  ['reverse', { run: (venue, words) => doubt(venue, words, 'reverse-deposit') }],
  ['endorse', { run: endorse, usual: 'done' }],
];

const reason = 'reported';

/** `bind vault on 1 after 40 of 100 funder carol with first    refused wrong credential` */
function bind(venue: Venue, words: Words): string {
  const vault = addressOf(words.take());
  const chainId = words.takeIf('on') ? count(words) : 1;
  const paidBeforeMicros = words.takeIf('after') ? micros(words.take()) : (0 as Micros);
  const depositedBeforeMicros = words.takeIf('of') ? micros(words.take()) : (0 as Micros);
  const funder = words.takeIf('funder') ? addressOf(words.take()) : null;
  const named = words.takeIf('with') ? words.take() : 'both';
  const secrets = [['first', 'both'].includes(named), ['second', 'both'].includes(named)] as const;
  const past = { paidBeforeMicros, depositedBeforeMicros };
  const outcome = succeeded(venue.apply({ kind: 'bind', chainId, vault, ...past, funder, secrets }));
  if (typeof outcome === 'string') return outcome;
  return outcome.isBound ? 'bound' : 'asked';
}

/** `adopt 6 alice 40 in tx    payout 3` */
function adopt(venue: Venue, words: Words): string {
  const payoutId = count(words);
  const address = addressOf(words.take());
  const amountMicros = micros(words.take());
  words.takeIf('in');
  const txHash = hashOf(words.take());
  const outcome = succeeded(venue.apply({ kind: 'adopt', payoutId, address, amountMicros, txHash, reason }));
  return typeof outcome === 'string' ? outcome : `payout ${outcome.payout.id}`;
}

function freeze(venue: Venue, words: Words, frozen: boolean): string {
  return done(venue, { kind: 'freeze-withdrawals', address: addressOf(words.take()), frozen, reason });
}

/** `hold a:0    held 100`, `reverse a:0    reversed 100` */
function doubt(venue: Venue, words: Words, kind: 'hold-deposit' | 'reverse-deposit'): string {
  const [tx = '', logIndex = ''] = words.take().split(':');
  const outcome = succeeded(venue.apply({ kind, txHash: hashOf(tx), logIndex: Number(logIndex), reason }));
  if (typeof outcome === 'string') return outcome;
  if ('needMicros' in outcome)
    return `refused need ${formatDecimal(outcome.needMicros)} have ${formatDecimal(outcome.haveMicros)}`;
  return `${kind === 'hold-deposit' ? 'held' : 'reversed'} ${formatDecimal(outcome.amountMicros)}`;
}

/** `endorse 1 by erin` */
function endorse(venue: Venue, words: Words): string {
  const id = count(words);
  words.takeIf('by');
  return done(venue, { kind: 'approve-payout', id, approver: addressOf(words.take()), signature: '0x01' });
}

function done(venue: Venue, command: Command): string {
  const outcome = succeeded(venue.apply(command));
  return typeof outcome === 'string' ? outcome : 'done';
}

function count(words: Words): number {
  return Number(words.take());
}
