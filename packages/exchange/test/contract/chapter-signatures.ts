/** The possible errors of any signed write. */

import type { ExampleRequest } from '../../src/openapi/examples.ts';
import { addressOf, Venue } from '../support.ts';
import { Player, walletOf } from './cast.ts';
import type { Chapter } from './chapter.ts';
import { openMarket } from './market.ts';
import type { Scribe } from './scribe.ts';
import { send } from './scribe.ts';
import { signatureOf, unsigned, withSigning } from './signing.ts';
import type { Stage, StageName } from './stage.ts';

type Write = (player: Player, nonce?: number) => Promise<ExampleRequest>;
type Writes = ReadonlyMap<string, Write>;

const SESSION_MS = 1_500;
const NONCE_LATE_MS = 61_000;
/** For batches whose signature is taken off again. */
const NO_VENUE = '0'.repeat(32);

/** A request for each signed write of paper mode. */
function writesIn(seriesId: string, venueId: string): Writes {
  return new Map<string, Write>([
    ['POST /v1/order', bodyOf((by, nonce) => by.order({ seriesId, side: 'buy', qty: 1, price: 100 }, nonce))],
    ['POST /v1/batch', bodyOf((by, nonce) => by.batch(venueId, [{ type: 'guard', ms: 30_000 }], nonce))],
    ['POST /v1/order/cancel', bodyOf((by, nonce) => by.cancelOrder(1, nonce))],
    ['POST /v1/cancel', bodyOf((by, nonce) => by.cancel('all', nonce))],
    ['POST /v1/margin', bodyOf((by, nonce) => by.margin(true, nonce))],
    [
      'POST /v1/quote-sets/{set}',
      (by, nonce) => by.push(venueId, { quotes: [{ seriesId, bids: [[100, 1]] }] }, nonce),
    ],
  ]);
}
const WITHDRAWAL: Writes = new Map([['POST /v1/withdraw', bodyOf((by, nonce) => by.withdraw(1, nonce))]]);

function bodyOf(write: (player: Player, nonce?: number) => Promise<object>): Write {
  return async (player, nonce) => ({ body: await write(player, nonce) });
}

async function writesOf(stage: Stage, on: 'paper' | 'deposits'): Promise<Writes> {
  if (on === 'deposits') return WITHDRAWAL;
  const { body } = await new Venue(stage.url).get('/v1/venue');
  return writesIn((await openMarket(stage)).series('C', 100_000), body.venue);
}

export const SIGNATURES: readonly Chapter[] = (['paper', 'deposits'] as const).map((on) => ({
  title: `signatures in ${on} mode`,
  on,
  play: async (stage, scribe) => {
    const writes = await writesOf(stage, on);
    const alice = await Player.enter(stage, 'Alice');
    for (const [operation, write] of writes)
      await refusedSignatures(stage, scribe, { alice, operation, write });
    await expiredSessions(stage, scribe, writes);
  },
}));

interface Signing {
  readonly alice: Player;
  readonly operation: string;
  readonly write: Write;
}

async function refusedSignatures(
  stage: Stage,
  scribe: Scribe,
  { alice, operation, write }: Signing,
): Promise<void> {
  const recorded = (name: string, summary: string, request: ExampleRequest) =>
    scribe.record(stage, { operation, name, summary, request });
  const request = await write(alice);
  const stranger = new Player(stage, 'Alice', 'a key that nobody approved');
  const forged = await write(stranger);
  await recorded('signatureFieldsRequired', 'No signature', withSigning(request, { signature: undefined }));
  await recorded(
    'sessionKey-malformed',
    '`sessionKey` of the wrong form',
    withSigning(request, { sessionKey: 'nowhere' }),
  );
  await recorded('unknownSessionKey', 'A key that nobody approved', forged);
  await recorded('nonceOutsideWindow', 'Too old', await write(alice, stage.nowMs() - NONCE_LATE_MS));
  await recorded(
    'badSignature',
    'Signed by another key',
    withSigning(request, { signature: signatureOf(forged) }),
  );
  const spent = await write(alice);
  await send(stage, operation, spent);
  await recorded('nonceUsed', 'The same request again', spent);
}

/** The debug route has the session errors too, but ignores nonces. */
async function expiredSessions(stage: Stage, scribe: Scribe, writes: Writes): Promise<void> {
  const brief = new Player(stage, 'Alice', 'a key for a moment');
  await send(stage, 'POST /v1/auth/session', {
    body: await brief.approval(stage.nowMs() + SESSION_MS, walletOf('a key for a moment')),
  });
  const stranger = new Player(stage, 'Alice', 'a key that nobody approved');
  await stage.pass(SESSION_MS + 100);
  for (const [operation, write] of writes) {
    const request = await write(brief);
    await scribe.record(stage, {
      operation,
      name: 'sessionExpired',
      summary: 'The session has ended',
      request,
    });
  }
  const debug = 'POST /v1/debug/envelope';
  if (scribe.has(debug, 'sessionExpired')) return;
  const [write] = writes.values();
  await scribe.record(stage, {
    operation: debug,
    name: 'sessionExpired',
    summary: 'The session has ended',
    request: await write!(brief),
  });
  await scribe.record(stage, {
    operation: debug,
    name: 'unknownSessionKey',
    summary: `A key that nobody approved, ${addressOf(stranger.key)}`,
    request: await write!(stranger),
  });
}

const FULL: ReadonlyMap<StageName, 'paper' | 'deposits'> = new Map([
  ['one nonce', 'paper'],
  ['one nonce, deposits', 'deposits'],
]);

/** Stages on which a key may have only one live nonce: the second write is one too many. */
export const BACKPRESSURE: readonly Chapter[] = [...FULL].map(([on, mode]) => ({
  title: `too many nonces in ${mode} mode`,
  on,
  play: async (stage, scribe) => {
    const writes = await writesOf(stage, mode);
    const alice = await Player.enter(stage, 'Alice');
    await send(stage, 'POST /v1/margin', { body: await alice.margin(true) });
    for (const [operation, write] of writes) {
      const request = await write(alice);
      const summary = 'More live nonces on the key than can be remembered';
      await scribe.record(stage, { operation, name: 'tooManyInFlight', summary, request });
    }
  },
}));

/** Where signing is forced, and in deposits mode, no token authorizes a write. */
export const UNSIGNED: readonly Chapter[] = (['signed', 'deposits'] as const).map((on) => ({
  title: `unsigned writes, ${on}`,
  on,
  play: async (stage, scribe) => {
    const alice = await Player.enter(stage, 'Alice');
    const writes = on === 'signed' ? writesIn('BTC-1767661200-C-100000', NO_VENUE) : WITHDRAWAL;
    for (const [operation, write] of writes) {
      const request = withHeaders(unsigned(await write(alice)), alice.headers);
      await scribe.record(stage, { operation, name: 'mustBeSigned', summary: 'A token alone', request });
    }
  },
}));

/** An unsigned write needs a token, where unsigned writes are accepted at all. */
export const TOKENS: Chapter = {
  title: 'tokens of unsigned writes',
  on: 'paper',
  play: async (stage, scribe) => {
    const alice = await Player.enter(stage, 'Alice');
    for (const [operation, write] of writesIn('BTC-1767661200-C-100000', NO_VENUE)) {
      const request = unsigned(await write(alice));
      const recorded = (name: string, summary: string, headers: Record<string, string>) =>
        scribe.record(stage, { operation, name, summary, request: withHeaders(request, headers) });
      await recorded('unknownToken', 'Neither signature nor token', {});
      await recorded('conflictingTokens', 'Two different tokens', {
        'x-paper-token': 'one',
        authorization: 'Bearer another',
      });
    }
  },
};

function withHeaders(request: ExampleRequest, headers: Record<string, string>): ExampleRequest {
  return { ...request, headers: { ...request.headers, ...headers } };
}
