/** Secrets that authenticate clients to the exchange. */

import { OPERATORS, SECRET, SECRET_HASH, sealedSecret } from '../kinds.ts';
import { variable } from '../variable.ts';

/** Minimum length of secrets on a venue that holds real money. */
export const SECRET_LENGTH_MIN = 32;

export const SECRETS = {
  VENUE_OPERATOR_TOKEN: variable(SECRET, {
    readBy: [
      'exchange',
      'watcher',
      'batcher',
      'attestor',
      'operator commit',
      'operator settle propose',
      'reserves',
    ],
    neededBy: ['operator'],
    meaning:
      'the secret by which the exchange knows operators without a name; also the watcher, the batcher and the attestor, where they have none of their own. For `venue operator` the own secret of a named operator',
    absent: 'the routes of operators are closed but to those whom `VENUE_OPERATORS` names',
    secret: true,
    code: 'CRED-1',
  }),
  VENUE_OPERATORS: variable(OPERATORS, {
    readBy: ['exchange'],
    meaning:
      'the names of operators, with roles and hashes of each secret; usually `VENUE_OPERATORS_FILE`, which `venue operators` writes',
    absent: 'the audit calls everybody who has `VENUE_OPERATOR_TOKEN` `operator`',
    secret: true,
    code: 'OPS-2',
  }),
  VENUE_DEPOSIT_TOKEN: variable(SECRET, {
    readBy: ['exchange', 'watcher'],
    meaning: 'the secret that lets the watcher report deposits, and nothing else',
    absent: '`VENUE_OPERATOR_TOKEN` stands for it, with a warning',
    secret: true,
    code: 'CUS-9',
  }),
  VENUE_PAYOUT_TOKEN: variable(SECRET, {
    readBy: ['exchange', 'batcher', 'operator commit'],
    meaning: 'the secret that lets the batcher read payouts and note them as committed, and nothing else',
    absent: '`VENUE_OPERATOR_TOKEN` stands for it, with a warning',
    secret: true,
    code: 'CUS-9',
  }),
  VENUE_ATTEST_TOKEN: variable(SECRET, {
    readBy: ['exchange', 'attestor'],
    meaning: 'the secret that lets the attestor answer for contract wallets, and nothing else',
    absent: '`VENUE_OPERATOR_TOKEN` stands for it, with a warning',
    secret: true,
    code: 'CUS-19',
  }),
  VENUE_FEED_TOKEN: variable(SECRET, {
    readBy: ['exchange'],
    neededBy: ['feed'],
    meaning: 'the secret that lets a feed post prices; `venue up` makes one up',
    absent: 'no prices',
    secret: true,
    code: 'CRED-1',
  }),
  VENUE_MAKER_TOKEN: variable(SECRET, {
    readBy: ['exchange', 'maker'],
    meaning: "the secret that lets the venue's own maker post quotes; `venue up` makes one up",
    absent: 'the venue has no maker of its own; a maker needs this or `VENUE_MAKER_KEY`',
    secret: true,
    code: 'CRED-1',
  }),
  VENUE_SETTLE_TOKEN_1: variable(SECRET, {
    readBy: ['exchange', 'operator settle propose'],
    neededBy: ['operator settle'],
    meaning: 'the first of two secrets for settling by hand, held by different people',
    absent: 'nobody can settle by hand, but those whom `VENUE_OPERATORS` lets',
    secret: true,
    code: 'CRED-1',
  }),
  VENUE_SETTLE_TOKEN_2: variable(SECRET, {
    readBy: ['exchange', 'operator settle propose'],
    neededBy: ['operator settle'],
    meaning: 'the second of them',
    absent: 'nobody can settle by hand, but those whom `VENUE_OPERATORS` lets',
    secret: true,
    code: 'CRED-1',
  }),
  VENUE_SETTLE_HASH_1: variable(SECRET_HASH, {
    readBy: ['exchange'],
    meaning:
      'the SHA-256 of the first of two secrets of settlement, as `venue operator settle-hash` prints it; the exchange needs no more',
    absent: 'the exchange needs `VENUE_SETTLE_TOKEN_1`',
    code: 'CUS-10',
  }),
  VENUE_SETTLE_HASH_2: variable(SECRET_HASH, {
    readBy: ['exchange'],
    meaning: 'the SHA-256 of the second of these secrets',
    absent: 'the exchange needs `VENUE_SETTLE_TOKEN_2`',
    code: 'CUS-10',
  }),
  VENUE_METRICS_TOKEN: variable(SECRET, {
    readBy: ['exchange', 'follower'],
    meaning:
      'the secret that lets Prometheus read `/metrics` from another machine, as a bearer token; 32 characters or more, and none of the others',
    absent: 'from this machine alone',
    secret: true,
    code: 'OWN-71',
  }),
  VENUE_TOKEN_SECRET: variable(sealedSecret(SECRET_LENGTH_MIN), {
    readBy: ['exchange', 'follower'],
    meaning: 'the secret that seals bearer tokens; nodes and followers of one log share it',
    absent: 'a random one: a restart signs everybody out, and a follower knows no token',
    secret: true,
    code: 'AUTH-2',
  }),
};
