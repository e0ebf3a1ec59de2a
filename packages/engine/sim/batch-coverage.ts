/** Counts what actions of batches and orders with terms went through, as `coverage.ts` does for whole entries. */

import { BATCH_REJECT, REJECT } from '@venue/protocol';
import type { PlainEvents, PlainOutcome } from './description.ts';

/** `place filled`, `amend rejected: unknown order`, `cancel ok=true`, … for each action of a batch. */
export function actionCases({ results }: PlainOutcome): string[] {
  return Array.isArray(results) ? results.map(actionCase) : [];
}

function actionCase({ type, status, ok, reason }: PlainOutcome): string {
  if (status === undefined) return `${type} ok=${ok}`;
  // Numbers in a reason are left out.
  return typeof reason === 'string'
    ? `${type} ${status}: ${reason.replace(/ \(need .*/, '')}`
    : `${type} ${status}`;
}

/** The causes of closes (CID-2). */
export function closeCases({ orders }: PlainEvents): string[] {
  return orders.flatMap(([, , what, cause]) => (what === 'closed' ? [`order closed: ${cause}`] : []));
}

const PREVENTED = BATCH_REJECT.selfTradePrevented;

/** Reasons that an amend can earn, too. */
const OF_ARRIVALS = [
  ...[REJECT.badQty, REJECT.badPrice, REJECT.seriesExpired, REJECT.reduceOnly, REJECT.insufficientCash],
  ...[REJECT.marginOff, 'insufficient margin for short', 'insufficient buying power'],
  BATCH_REJECT.postOnlyWouldTrade,
];

/** Every case and situation that a few hundred seeds must reach. */
export const EXPECTED_OF_BATCHES: readonly string[] = [
  'batch',
  ...['unknownSessionKey', 'sessionExpired', 'nonceOutsideWindow', 'nonceUsed', 'tooManyInFlight'].map(
    (refusal) => `batch ${refusal}`,
  ),
  'rekey',
  ...['filled', 'partial', 'rested', 'cancelled', 'duplicate'].map((status) => `place ${status}`),
  ...['filled', 'partial', 'rested', 'cancelled'].map((status) => `amend ${status}`),
  ...[`place partial: ${PREVENTED}`, `place cancelled: ${PREVENTED}`, `amend cancelled: ${PREVENTED}`],
  ...[...OF_ARRIVALS, REJECT.unknownSeries, REJECT.seriesSettled, REJECT.equityDepleted].map(
    (reason) => `place rejected: ${reason}`,
  ),
  ...[REJECT.noLiquidity, REJECT.accountFrozen].map((reason) => `place rejected: ${reason}`),
  ...[
    BATCH_REJECT.orderExpired,
    BATCH_REJECT.tooManyTimedOrders,
    BATCH_REJECT.nothingToReduce,
    BATCH_REJECT.tooMuchWork,
  ].map((reason) => `place rejected: ${reason}`),
  `place rejected: ${BATCH_REJECT.fokCannotFill}`,
  ...[...OF_ARRIVALS, BATCH_REJECT.unknownOrder, BATCH_REJECT.filledMoreThanExpected].map(
    (reason) => `amend rejected: ${reason}`,
  ),
  ...['cancel ok=true', 'cancel ok=false', 'cancel-all ok=true', 'cancel-all ok=false', 'guard ok=true'],
  ...['filled', 'user', 'ioc', 'stp', 'gtd', 'guard', 'settlement', 'liquidation'].map(
    (cause) => `order closed: ${cause}`,
  ),
  ...['taker', 'maker', 'both', 'none'].map((mode) => `met an own order: ${mode}`),
  'reduce-only order cut',
  'amend of an order placed by itself',
  'amend in a margin call',
  'order in part filled arrives as a new order',
  'client id of an open order',
  'client id of a closed order',
  'client id in its last millisecond',
  'client id used again',
  'client id forgotten for a thousand newer ones',
  'action after too much work',
  'reference to an order of the same batch',
  'reference to an order of another account',
  'reference to a closed order',
  'reference to a closed order by its client id',
  'several deadlines due',
  'deadline at the very time of an entry',
  'guard due with orders',
  'guard due without orders',
  'guard takes an order before its date',
  'guard renewed',
];
