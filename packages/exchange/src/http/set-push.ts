/** Writes the changes of a push to a quote set, and answers all of its rows (QTS-6). */

import {
  type ArrivedPush,
  arrivalOf,
  isRefused,
  isTaken,
  type PushRefused,
  type QuoteSetCommand,
  type RowError,
} from '@venue/engine';
import { BATCH_REJECT, type QuotesAnswer } from '@venue/protocol';
import { HttpError, reasonRefusal, refuse } from './errors.ts';
import type { QuotePush } from './quote-push.ts';
import { quotesAnswer } from './quote-slices.ts';
import { Shown } from './route.ts';
import { type Services, submit } from './services.ts';

/** An entry without its rows. */
export type PushHead = Omit<QuoteSetCommand, 'rows'>;

/**
 * Writes what a push changes in the state as it is, and answers for every row. A push that is refused whole spends its
 * nonce alone; one without a signature has none, and is not written.
 */
export async function writePush(
  services: Services,
  head: PushHead,
  read: QuotePush,
): Promise<Shown<QuotesAnswer>> {
  const arrived = onArrival(services, head, read);
  if (!('results' in arrived)) return refuseWhole(services, head, () => refusePush(arrived));
  const { results, rows } = arrived;
  if (rows === null) return refuseWhole(services, head, () => answerOf(read, results));
  return submit(services, { ...head, rows }, (outcome) => {
    if ('reason' in outcome) return refusePush(outcome);
    if (!('rowErrors' in outcome)) throw new Error('a push with rows was refused on arrival');
    return answerOf(read, overtaken(read, { results, rows }, outcome.rowErrors));
  });
}

/** The later of the log's time and the clock counts: a freeze ends even if nothing is appended. */
function onArrival(
  { state, now }: Services,
  { account: address, set, authorization }: PushHead,
  read: QuotePush,
): ArrivedPush | PushRefused {
  const account = state.accountByAddress.get(address);
  if (account === undefined) return { refusal: 'unknownSet' };
  const rows = read.rows.map(({ row }) => row);
  const push = { set, nonce: authorization?.nonce ?? null, rows };
  const arrived = arrivalOf(state, account, push, Math.max(state.ts, now()));
  const areAllFaulty = rows.length === 0 && read.rowErrors.length + read.unknownSids.length > 0;
  return 'results' in arrived && areAllFaulty ? { ...arrived, rows: null } : arrived;
}

async function refuseWhole(
  services: Services,
  head: PushHead,
  answer: () => QuotesAnswer,
): Promise<Shown<QuotesAnswer>> {
  if (head.authorization === undefined) return new Shown(services.state.seq, answer());
  return submit(services, { ...head, rows: null }, answer);
}

function refusePush(refused: PushRefused): never {
  if (isRefused(refused)) refuse(refused.refusal, refused.lastNonce);
  throw new HttpError(reasonRefusal(refused.reason));
}

/** The results where other entries came between arrival and entry: what a series met there counts for its last row. */
function overtaken(
  { rows: placed }: QuotePush,
  { results, rows }: ArrivedPush & { readonly rows: NonNullable<ArrivedPush['rows']> },
  rowErrors: readonly RowError[],
): ArrivedPush['results'] {
  if (rowErrors.length === 0) return results;
  const after = [...results];
  for (const { i, error } of rowErrors) {
    const { sid } = rows[i]!;
    const at = placed.findLastIndex(
      ({ row }, k) => row.sid === sid && results[k] !== null && isTaken(results[k]!),
    );
    after[at] = { changes: error === BATCH_REJECT.postOnlyWouldTrade, error };
  }
  return after;
}

function answerOf(
  { rows, rowErrors, unknownSids }: QuotePush,
  results: ArrivedPush['results'],
): QuotesAnswer {
  const errors: RowError[] = [...rowErrors];
  let applied = 0;
  let kept = 0;
  results.forEach((result, k) => {
    if (result === null) return;
    const { changes, error } = result;
    if (error !== null) errors.push({ i: rows[k]!.i, error });
    if (changes) applied += 1;
    else if (error === null) kept += 1;
  });
  return quotesAnswer({ applied, kept, errors, unknownSids });
}
