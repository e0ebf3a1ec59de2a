/**
 * A language for scenarios: a table of lines, each an action and its expected result.
 *
 *   quote AAPL-P-200 bid 4.10x8 ask 4.20x8
 *   sell bob AAPL-P-200 3 @ market        rejected margin is off — enable margin to sell short
 *   margin bob on
 *   sell bob AAPL-P-200 3 @ market        filled 3@4.10
 *
 * Every table starts from a venue with AAPL at 200 and BTC at 100,000, both listed for three days, and ends with a
 * replay of its log. Verbs and their forms are the functions under `VERBS`; custody verbs are in `scenario-custody.ts`, those of batches in
 * `scenario-batch.ts`, those of quote sets in `scenario-sets.ts`.
 * A line that starts with -- is a note.
 */

import assert from 'node:assert/strict';
import { formatDecimal } from '@venue/protocol';
import type { SettleCommand } from '../src/entry/command.ts';
import type { VenueParameters } from '../src/state/parameters.ts';
import type { Side } from '../src/state/series.ts';
import { BATCH } from './scenario-batch.ts';
import { CUSTODY } from './scenario-custody.ts';
import { LOOKS, type Verb } from './scenario-looks.ts';
import { authorization, ladder, succeeded } from './scenario-parts.ts';
import { REPAIRS } from './scenario-repairs.ts';
import { SETS } from './scenario-sets.ts';
import { addressOf, expiryOnDay, micros, seriesIdOf, Venue } from './venue.ts';
import { DURATION, durationMs, Words } from './words.ts';

/** Runs a table against the given venue, or against a new one with other parameters. Errors name the line. */
export function scenario(table: string, setting: Venue | Partial<VenueParameters> = {}): Venue {
  const venue = setting instanceof Venue ? setting : Venue.listed(setting);
  table.split('\n').forEach((line, i) => {
    const text = line.trim();
    if (text !== '' && !text.startsWith('--')) runLine(venue, `line ${i}: ${text}`, new Words(text));
  });
  venue.checkReplay();
  return venue;
}

function runLine(venue: Venue, place: string, words: Words): void {
  try {
    const name = words.take();
    const verb = VERBS.get(name);
    assert.ok(verb !== undefined, `unknown verb ${name}`);
    check(verb.run(venue, words), words.rest() || (verb.usual ?? ''));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    error.message = `${place}\n${error.message}`;
    throw error;
  }
}

/** Named facts are compared one by one; anything else as a whole. */
function check(actual: string | Map<string, string>, expected: string): void {
  assert.ok(expected !== '', 'the line expects nothing');
  if (typeof actual === 'string') {
    assert.equal(actual, /^re(jected|fused)/.test(expected) ? expected : normalized(expected));
    return;
  }
  const words = normalized(expected).split(' ');
  for (let i = 0; i < words.length; i += 2) {
    assert.ok(actual.has(words[i]!), `no such fact: ${words[i]}`);
    assert.equal(`${words[i]} ${actual.get(words[i]!)}`, `${words[i]} ${words[i + 1]}`);
  }
}

/** Amounts without trailing zeros: `3.40` and `3.4` are equal. */
function normalized(text: string): string {
  return text.replace(/-?\d+\.\d+/g, (amount) => formatDecimal(micros(amount)));
}

const VERBS: ReadonlyMap<string, Verb> = new Map<string, Verb>([
  ['wait', { run: wait, usual: 'waited' }],
  ['spot', { run: (venue, words) => print(venue, words, 'feed'), usual: 'accepted' }],
  ['print', { run: (venue, words) => print(venue, words, words.take()), usual: 'accepted' }],
  ['maintain', { run: maintain, usual: 'done' }],
  ['quote-session', { run: quoteSession }],
  ['quote', { run: quote, usual: 'applied' }],
  ['pull', { run: pull }],
  ['buy', { run: (venue, words) => order(venue, words, 'buy') }],
  ['sell', { run: (venue, words) => order(venue, words, 'sell') }],
  ['cancel', { run: cancel }],
  ['cancel-order', { run: cancelOrder }],
  ['margin', { run: margin, usual: 'ok' }],
  ['approve', { run: approve, usual: 'ok' }],
  ['revoke', { run: revoke, usual: 'ok' }],
  ['open', { run: open, usual: 'ok' }],
  ['settle', { run: settle }],
  ['propose', { run: propose }],
  ['confirm', { run: confirm }],
  ['suppose', { run: suppose, usual: 'so' }],
  ...BATCH,
  ...CUSTODY,
  ...REPAIRS,
  ...SETS,
  ...LOOKS,
]);

/** `wait 61s`, or `wait to cutoff` of the nearest expiry, or `wait to cutoff -1ms`. */
function wait(venue: Venue, words: Words): string {
  if (words.takeIf('to')) {
    assert.equal(words.take(), 'cutoff');
    const nearest = Math.min(...venue.unsettled().map(({ cutoffMs }) => cutoffMs));
    venue.nowMs = nearest + durationMs(words.takeMatch(DURATION) ?? '0ms');
  } else {
    venue.wait(durationMs(words.take()));
  }
  return 'waited';
}

/** `spot AAPL 200`, from the one usual source; `print other AAPL 200`, from another source. */
function print(venue: Venue, words: Words, source: string): string {
  const outcome = succeeded(venue.print(words.take(), source, words.take()));
  return typeof outcome === 'string' ? outcome : (outcome.rowErrors[0]?.error ?? 'accepted');
}

/** `maintain`, or with the days whose expiries the proposer names: `maintain days 1 2 3    listed 246`. */
function maintain(venue: Venue, words: Words): string {
  const days: number[] = [];
  if (words.takeIf('days')) {
    for (let day = words.takeMatch(/^\d+$/); day !== undefined; day = words.takeMatch(/^\d+$/))
      days.push(Number(day));
  }
  const outcome = succeeded(venue.maintain(days));
  if (typeof outcome === 'string') return outcome;
  if (!outcome.done) return 'early';
  return outcome.listed === 0 ? 'done' : `listed ${outcome.listed}`;
}

/** `quote AAPL-C-190 bid 3.30x5 3.20x5 ask -`: an unnamed side stays, a dash pulls it. */
function quote(venue: Venue, words: Words): string {
  const series = words.take();
  const side = (name: string) => (words.takeIf(name) ? ladder(words) : null);
  const row = {
    sid: /^\d+$/.test(series) ? Number(series) : venue.series(series).sid,
    bids: side('bid'),
    asks: side('ask'),
  };
  const iv = words.takeIf('iv') ? { iv: Number(words.take()) } : {};
  const delta = words.takeIf('delta') ? { delta: Number(words.take()) } : {};
  const session = words.takeIf('session') ? Number(words.take()) : null;
  const outcome = succeeded(venue.apply({ kind: 'quotes', session, rows: [{ ...row, ...iv, ...delta }] }));
  if (typeof outcome === 'string') return outcome;
  if (outcome.unknownSids.length > 0) return `unknown sid ${outcome.unknownSids}`;
  if (outcome.rowErrors[0] !== undefined) return `rejected ${outcome.rowErrors[0].error}`;
  return outcome.applied === 1 ? 'applied' : 'kept';
}

/** `quote-session first-start    session 1` */
function quoteSession(venue: Venue, words: Words): string {
  const outcome = succeeded(venue.apply({ kind: 'quote-session', attemptId: words.take() }));
  return typeof outcome === 'string' ? outcome : `session ${outcome.session}`;
}

/** `pull session 1    pulled 3` */
function pull(venue: Venue, words: Words): string {
  assert.equal(words.take(), 'session');
  const outcome = succeeded(venue.apply({ kind: 'pull', session: Number(words.take()) }));
  return typeof outcome === 'string' ? outcome : `pulled ${outcome.pulled}`;
}

/** `buy alice AAPL-C-190 2 @ 3.50`, `sell alice AAPL-C-190 2 @ market signed phone nonce +5s` */
function order(venue: Venue, words: Words, side: Side): string {
  const account = venue.account(words.take());
  const seriesId = seriesIdOf(words.take());
  const qtyMicros = micros(words.take());
  assert.equal(words.take(), '@');
  const price = words.take();
  const priceMicros = price === 'market' ? null : micros(price);
  const terms = { account: account.address!, seriesId, side, qtyMicros, priceMicros };
  const outcome = succeeded(venue.apply({ kind: 'order', ...terms, ...authorization(venue, words) }));
  if (typeof outcome === 'string') return outcome;
  if (outcome.status === 'rejected') return `rejected ${outcome.reason}`;
  const trades = outcome.trades.map(
    (trade) => ` ${formatDecimal(trade.qtyMicros)}@${formatDecimal(trade.priceMicros)}`,
  );
  const rested = outcome.restedMicros > 0 ? ` rest ${formatDecimal(outcome.restedMicros)}` : '';
  return `${outcome.status}${trades.join('')}${outcome.status === 'partial' ? rested : ''}`;
}

/** `cancel alice all`, `cancel alice AAPL,BTC    pulled 2` */
function cancel(venue: Venue, words: Words): string {
  const account = venue.account(words.take()).address!;
  const scope = words.take();
  const symbols = scope === 'all' ? null : scope.split(',');
  const outcome = succeeded(
    venue.apply({ kind: 'cancel', account, symbols, ...authorization(venue, words) }),
  );
  return typeof outcome === 'string' ? outcome : `pulled ${outcome.pulled}`;
}

/** `cancel-order alice #3    ok` */
function cancelOrder(venue: Venue, words: Words): string {
  const account = venue.account(words.take()).address!;
  const orderId = Number(words.take().slice(1));
  const outcome = succeeded(
    venue.apply({ kind: 'cancel-order', account, orderId, ...authorization(venue, words) }),
  );
  if (typeof outcome === 'string') return outcome;
  return outcome.ok ? 'ok' : 'not ok';
}

/** `margin alice on` */
function margin(venue: Venue, words: Words): string {
  const account = venue.account(words.take()).address!;
  const enabled = words.take() === 'on';
  const outcome = succeeded(
    venue.apply({ kind: 'margin', account, enabled, ...authorization(venue, words) }),
  );
  return typeof outcome === 'string' ? outcome : 'ok';
}

/** `open alice`: accounts also open when first mentioned. */
function open(venue: Venue, words: Words): string {
  venue.account(words.take());
  return 'ok';
}

/** `approve alice phone for 30d` */
function approve(venue: Venue, words: Words): string {
  const address = addressOf(words.take());
  const sessionKey = addressOf(words.take());
  assert.equal(words.take(), 'for');
  const expiresAt = venue.nowMs + durationMs(words.take());
  const outcome = succeeded(
    venue.apply({ kind: 'approve', address, sessionKey, expiresAt, signature: '0x' }),
  );
  return typeof outcome === 'string' ? outcome : 'ok';
}

/** `revoke alice phone` */
function revoke(venue: Venue, words: Words): string {
  const address = addressOf(words.take());
  const outcome = succeeded(
    venue.apply({ kind: 'revoke', address, sessionKey: addressOf(words.take()), signature: '0x' }),
  );
  return typeof outcome === 'string' ? outcome : 'ok';
}

/** Puts the state where no entry leads: `suppose alice frozen`, `suppose AAPL-C-190 settled`. */
function suppose(venue: Venue, words: Words): string {
  const name = words.take();
  const what = words.rest();
  while (words.rest() !== '') words.take();
  if (what === 'frozen') venue.account(name).frozen = true;
  else if (what === 'margin off') venue.account(name).marginEnabled = false;
  else if (what === 'settled' || what === 'pending-review') venue.series(name).status = what;
  else assert.fail(`nothing to suppose: ${what}`);
  venue.isReplayable = false;
  return 'so';
}

/** `settle AAPL-C-190 201.5    settled 1`, `settle AAPL day 1 201.5`; `settle … without first`: a secret was wrong. */
function settle(venue: Venue, words: Words): string {
  const terms = settleTerms(words);
  const wrong = words.takeIf('without') ? words.take() : 'none';
  const secrets = [wrong !== 'first', wrong !== 'second'] as const;
  const outcome = succeeded(venue.apply({ kind: 'settle', ...terms, secrets }));
  return typeof outcome === 'string' ? outcome : `settled ${outcome.settled.length}`;
}

function settleTerms(words: Words): Pick<SettleCommand, 'target' | 'priceMicros'> {
  const name = words.take();
  const target = words.takeIf('day')
    ? { symbol: name, expiryTs: expiryOnDay(Number(words.take())) }
    : { seriesId: seriesIdOf(name) };
  return { target, priceMicros: micros(words.take()) };
}

/** `propose AAPL-C-190 201.5 with first    settles 1`; `with both`, `with none`. */
function propose(venue: Venue, words: Words): string {
  const terms = settleTerms(words);
  const outcome = succeeded(venue.apply({ kind: 'settle-propose', ...terms, secrets: withSecrets(words) }));
  return typeof outcome === 'string' ? outcome : `settles ${outcome.settles.length}`;
}

/** `confirm AAPL-C-190 201.5 with second    settled 1`: names the newest proposal. */
function confirm(venue: Venue, words: Words): string {
  const id = venue.state.settleProposals.at(-1)?.id ?? null;
  const terms = settleTerms(words);
  const outcome = succeeded(
    venue.apply({ kind: 'settle-confirm', id, ...terms, secrets: withSecrets(words) }),
  );
  return typeof outcome === 'string' ? outcome : `settled ${outcome.settled.length}`;
}

function withSecrets(words: Words): readonly [boolean, boolean] {
  assert.equal(words.take(), 'with');
  const which = words.take();
  return [which === 'first' || which === 'both', which === 'second' || which === 'both'];
}
