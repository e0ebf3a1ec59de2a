/** Lists every refusal of the venue with the operations that answer it (ERR-1). */

import {
  type AMOUNT_REJECT,
  BATCH_REJECT,
  CATALOGUE,
  codeOf,
  EDGE_MESSAGES,
  type ErrorName,
  FIELDS,
  GAP_MESSAGES,
  HELPS,
  MESSAGES,
  PUSH_MESSAGES,
  REJECT,
  type Reason,
  type ReasonRoute,
  ROW_REJECT,
} from '@venue/protocol';
import { READY_PATH, type Route } from '../http/route.ts';
import { errorsOf } from './errors.ts';
import { EXCLUDED_ERRORS } from './excluded-errors.ts';

const OK = 200;
const BAD_REQUEST = 400;
const ANY_ROUTE = '*';
/** Errors that every operation can answer. */
const OF_ANY: readonly ErrorName[] = [
  'internal',
  'notFound',
  'malformedRequest',
  'malformedAfter',
  'notYetUpgraded',
];
const ORDER = 'POST /v1/order';
const BATCH = 'POST /v1/batch';
const PREVIEW = 'POST /v1/order/preview';
const SIMULATE = 'POST /v1/simulate';
const SET_PUSH = 'POST /v1/quote-sets/{set}';
const WITHDRAW = 'POST /v1/withdraw';
const PRINTS = 'POST /v1/feed/prints';
const MAKER_PUSH = 'POST /v1/maker/quotes';

/** Why a contract wallet's approval came to nothing: the row of the parked approval says so (CUS-19). */
const OF_PARKED: readonly ErrorName[] = [
  'noContract',
  'notSignedByContract',
  'contractFailed',
  'parkedLapsed',
];

/** Each code of the catalogue once, in its order. */
export function reasonsOf(routes: readonly Route[]): Reason[] {
  const found = new Map<string, ReasonRoute[]>([...CATALOGUE.keys()].map((code) => [code, []]));
  const add: Add = (code, status, ...at) => {
    const known = found.get(code)!;
    // A refusal of a route can be a reason of it, too.
    const isNew = (operation: string) =>
      !known.some(({ route, status: other }) => route === operation && other === status);
    known.push(...at.filter(isNew).map((route) => ({ route, status })));
  };
  addMessages(routes, add);
  addReasons(add);
  for (const { code, status } of Object.values({ ...FIELDS, ...EDGE_MESSAGES })) add(code, status, ANY_ROUTE);
  for (const { code, status } of Object.values(PUSH_MESSAGES)) add(code, status, 'POST /push/devices');
  return [...CATALOGUE].map(([code, text]) => ({ code, text, helps: HELPS[code], routes: found.get(code)! }));
}

type Add = (code: string, status: number, ...at: readonly string[]) => void;

function addMessages(routes: readonly Route[], add: Add): void {
  for (const name of OF_ANY) add(codeOf(name), MESSAGES[name].status, ANY_ROUTE);
  for (const [operation, names] of operationsWith(routes))
    for (const name of names) if (!OF_ANY.includes(name)) add(codeOf(name), MESSAGES[name].status, operation);
  const { pushMalformed, followerReads, notReady } = GAP_MESSAGES;
  add(pushMalformed.code, pushMalformed.status, SET_PUSH, MAKER_PUSH);
  add(followerReads.code, followerReads.status, ANY_ROUTE);
  add(notReady.code, notReady.status, `GET ${READY_PATH}`);
  for (const name of OF_PARKED) add(codeOf(name), OK, 'GET /v1/auth/session/contract');
  add(codeOf('withdrawalsFrozen'), MESSAGES.withdrawalsFrozen.status, WITHDRAW);
  add('insufficient-withdrawable', BAD_REQUEST, WITHDRAW, 'POST /v1/operator/deposits/reverse');
  add('below-smallest-payout', BAD_REQUEST, WITHDRAW);
}

/** The streams are no rows of the table, and have errors of their own. */
function operationsWith(routes: readonly Route[]): Map<string, readonly ErrorName[]> {
  const operations = new Map<string, readonly ErrorName[]>();
  for (const route of routes) {
    const operation = `${route.method} ${route.path}`;
    const own = EXCLUDED_ERRORS.get(operation) ?? [];
    operations.set(operation, [...errorsOf(route), ...own]);
  }
  for (const stream of ['GET /ws', 'GET /v1/stream']) operations.set(stream, EXCLUDED_ERRORS.get(stream)!);
  return operations;
}

/** Reasons that a leg of `POST /v1/simulate` can have. */
const OF_LEGS = ['unknownSeries', 'seriesSettled', 'seriesExpired', 'badQty', 'badPrice'] as const;
const OF_PRINTS: ReadonlySet<string> = new Set(['malformedPrint', 'badSource', 'tooManySources']);

/** A reason is a 400 of an order, and stands in the result of an action, of a preview or of a row. */
function addReasons(add: Add): void {
  for (const name of Object.keys({ ...REJECT, insufficientMargin: '', insufficientBuyingPower: '' })) {
    add(codeOf(name), BAD_REQUEST, ORDER);
    add(codeOf(name), OK, BATCH, PREVIEW, SET_PUSH);
  }
  for (const name of OF_LEGS) add(codeOf(name), BAD_REQUEST, SIMULATE);
  for (const name of Object.keys(BATCH_REJECT)) add(codeOf(name), OK, BATCH, PREVIEW);
  add(codeOf('postOnlyWouldTrade'), OK, SET_PUSH);
  add(codeOf('houseLineExceeded' satisfies keyof typeof AMOUNT_REJECT), OK, MAKER_PUSH);
  for (const name of Object.keys(ROW_REJECT)) {
    if (OF_PRINTS.has(name)) add(codeOf(name), OK, PRINTS);
    else add(codeOf(name), OK, SET_PUSH, MAKER_PUSH);
  }
}
