/** Quote sets: pushes of any account's ladders, signed over the bytes of their body, and a list of the sets (QTS-1, QTS-5). */

import { hash } from 'node:crypto';
import {
  declined,
  encodeQuotesAnswer,
  malformed,
  type PushForm,
  QUOTE_SETS_MAX,
  type QuotesAnswer,
  type QuotesBody,
  quotesEnvelope,
  type SetPushAnswer,
} from '@venue/protocol';
import { QuoteSetsSchema, QuotesBodySchema, SetPushAnswerSchema } from '@venue/protocol/wire';
import { quoteSetsView } from '../../views/quote-sets.ts';
import { HttpError, refuse } from '../errors.ts';
import { readPush } from '../quote-push.ts';
import { type Route, type RouteRequest, route, Shown } from '../route.ts';
import { accountOf, type Services } from '../services.ts';
import { writePush } from '../set-push.ts';
import { SetTurns } from '../set-turns.ts';
import { callerBy, signingHeadersOf } from '../writes.ts';

const PATH = '/v1/quote-sets/{set}';
/** A push is one entry, which must not hold the loop for long; its levels are bounded as the containers of JSON are. */
export const PUSH_ROWS_MAX = 8_192;

export function quoteSetRoutes(services: Services): Route[] {
  return [push(services), list(services)];
}

function push(services: Services): Route {
  const turns = new SetTurns();
  return route({
    method: 'POST',
    path: PATH,
    access: 'signed',
    takesQuoteBytes: true,
    signsBytes: true,
    body: QuotesBodySchema,
    answer: SetPushAnswerSchema,
    contract: {
      id: 'pushQuotes',
      tag: 'Trading',
      summary: 'Push ladders of quotes to a set of the account',
      text: 'Sets where the ladders of a quote set, 1 to 16, stand: all rows in one entry of the log. `{quotes: [{seriesId, bids, asks, iv, delta}]}` names series, `{rows: [[sid, bids, asks, iv, delta]]}` their short numbers, and bytes (`application/x-venue-quotes`) are answered in bytes; up to 8,192 rows, levels best first, `null` or nothing for a side that stays. A level that would trade on arrival is left out. Signed by headers over `Venue quotes v1` with the SHA-256 of the body’s bytes as sent, so no content encoding; a nonce not above those of the set’s last push and `protect`, and of the account’s last cancel in whose scope its underlying lay, or not after the deadline of its last guard that fired, is a `stale push`, and `lastNonce` says what stood in the way (QTS-1). A faulty row stops no other and is in `rowErrors`, of which the first 20 are shown. `protect` of `POST /v1/batch` makes the set and limits what may trade before all its quotes leave and it is frozen (QTS-2, QTS-3). What buying power does not cover is refused whole, with the reason of an order (QTS-4).',
      errors: ['unknownSet', 'stalePush', 'setFrozen', 'tooManyRows', 'notYetUpgraded'],
    },
    handle: (request) => pushToSet(services, turns, request),
  });
}

function list(services: Services): Route {
  const { state, now } = services;
  return route({
    method: 'GET',
    path: '/v1/quote-sets',
    access: 'bearer',
    answer: QuoteSetsSchema,
    contract: {
      id: 'quoteSets',
      tag: 'Account',
      summary: 'Quote sets of the account, with their protection and what is used of it',
      text: 'What each set may trade, what of it is used, and until when a frozen one refuses pushes (QTS-5). Quotes are no orders: no other list has them.',
    },
    handle: ({ bearer }) => quoteSetsView(state, accountOf(services, bearer!), now()),
  });
}

async function pushToSet(
  services: Services,
  turns: SetTurns,
  request: RouteRequest<unknown, QuotesBody | Uint8Array>,
): Promise<Shown<SetPushAnswer | Uint8Array>> {
  const { state } = services;
  const { body, headers } = request;
  const set = setOf(request.params.get('set')!);
  const fields = signingHeadersOf(headers);
  if (rowCount(body) > PUSH_ROWS_MAX) refuse('tooManyRows');
  const read = readPush(state, body);
  if (read.rows.length + read.rowErrors.length > PUSH_ROWS_MAX) refuse('tooManyRows');
  // A venue has an id since it knows batches, and sets came later.
  const { venue } = state;
  if (venue === null) refuse('notYetUpgraded');
  const form: PushForm = body instanceof Uint8Array ? 'sqw1' : 'json';
  const bodyHash = hash('sha256', request.bytes!);
  const caller = await callerBy(services, headers, {
    fields,
    text: (signed) => quotesEnvelope({ ...signed, venue, set, form, bodyHash }),
  });
  // What a push changes depends on the one before it.
  using _turn = await turns.take({ address: caller.account, number: set });
  const head = { kind: 'quote-set', ...caller, set, form, bodyHash } as const;
  const { seq, result } = await writePush(services, head, read);
  return new Shown(seq, form === 'sqw1' ? encodeQuotesAnswer(result) : withCodes(result));
}

/** In bytes a row error has its text alone, as the format is the maker's. */
function withCodes({ rowErrors, ...answer }: QuotesAnswer): SetPushAnswer {
  return { ...answer, rowErrors: rowErrors.map(({ i, error }) => ({ i, error, ...declined(error) })) };
}

/** Counts the rows of JSON before they are read one by one; those of bytes are counted as they are read. */
function rowCount(body: QuotesBody | Uint8Array): number {
  if (body instanceof Uint8Array) return 0;
  // Beside quotes, rows may be anything: no schema looks at them, and the reading refuses both together.
  const rows: unknown = 'rows' in body ? body.rows : body.quotes;
  return Array.isArray(rows) ? rows.length : 0;
}

/** The number in a path, in plain decimal. */
function setOf(text: string): number {
  const set = /^[1-9]\d?$/.test(text) ? Number(text) : 0;
  if (set < 1 || set > QUOTE_SETS_MAX) throw new HttpError(malformed('set'));
  return set;
}
