/** Derives the errors that an operation can answer from its route. */

import { AMOUNT_REJECT, CATALOGUE, declined, type ErrorName, MESSAGES, REJECT } from '@venue/protocol';
import { type Access, descriptionOf, type Route } from '../http/route.ts';

/** Every catalogue error that the operation can answer. Its schemas add errors of single fields. */
export function errorsOf(route: Route): ReadonlySet<ErrorName> {
  return new Set<ErrorName>([
    ...(isDeposits(route) ? (['notFound'] as const) : []),
    ...(route.body ? ([...BODY, route.signsBytes ? 'contentEncoded' : 'unsupportedEncoding'] as const) : []),
    ...(route.access === 'bearer' ? TOKEN : []),
    ...(route.access === 'signed' ? SIGNED : []),
    ...(SECRET.has(route.access) ? (['wrongCredential'] as const) : []),
    ...(route.role !== undefined && route.role !== 'read' ? (['wrongRole'] as const) : []),
    ...(route.access === 'unsigned-maker' ? (['mustBeSigned'] as const) : []),
    // Where signing is always mandatory, tokens never count.
    ...(route.access === 'signed' && !isDeposits(route) ? TOKEN : []),
    ...(descriptionOf(route)?.errors ?? []),
    'internal',
  ]);
}

const BODY = ['wrongContentType', 'malformedJson', 'bodyTooLarge'] as const;

/** Accesses that a secret of the operator opens. */
const SECRET: ReadonlySet<Access> = new Set<Access>([
  'feed',
  'maker',
  'operator',
  'deposit',
  'payout',
  'attest',
  'payout-or-operator',
  'deposit-or-operator',
  'local',
  'attempt',
  'unsigned-maker',
]);
const TOKEN: readonly ErrorName[] = ['unknownToken', 'conflictingTokens'];
const SIGNED: readonly ErrorName[] = [
  'mustBeSigned',
  'signatureFieldsRequired',
  'unknownSessionKey',
  'sessionExpired',
  'nonceOutsideWindow',
  'badSignature',
  'nonceUsed',
  'tooManyInFlight',
];

function isDeposits({ modes }: Route): boolean {
  return modes?.includes('paper') === false;
}

/** Errors that no request can cause, each with the reason why no example of it can be recorded. */
export const UNREACHED: ReadonlyMap<ErrorName, string> = new Map<ErrorName, string>([
  ['internal', 'a fault of the service: no request brings it about'],
  ['notYetUpgraded', 'takes two releases on one log'],
  ['tooManySimulations', 'takes 257 simulations that wait at one moment'],
  ['tooManyRows', 'takes a push of more than 8,192 rows, which is too long to show'],
  ['tooManyAccounts', 'takes 4.5 billion dollars of paper cash, 45,000 accounts of the usual size'],
]);

/** Reasons of a declined order that no client of this contract sees. */
export const UNREACHED_REASONS: ReadonlyMap<string, string> = new Map([
  [AMOUNT_REJECT.houseLineExceeded, 'answers the market maker alone, which has no session key'],
]);

/** The reasons of a declined order, as the catalogue has them. */
export const REASONS: readonly string[] = [...Object.values(REJECT), ...Object.values(AMOUNT_REJECT)];

/** A reason as the catalogue has it, without its amounts. */
export function withoutNumbers(reason: string): string {
  return CATALOGUE.get(declined(reason).code)!;
}

export function statusOf(name: ErrorName): number {
  return MESSAGES[name].status;
}
