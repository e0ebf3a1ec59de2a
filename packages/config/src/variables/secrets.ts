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
      "the secret of unnamed operators, and of daemons without their own; in `venue operator`, a named operator's own secret",
    absent: 'only operators named in `VENUE_OPERATORS`',
    secret: true,
    code: 'CRED-1',
  }),
  VENUE_OPERATORS: variable(OPERATORS, {
    readBy: ['exchange'],
    meaning:
      "the names, roles and hashes of operators' secrets; usually `VENUE_OPERATORS_FILE`, from `venue operators`",
    absent: 'the audit names everybody `operator`',
    secret: true,
    code: 'OPS-2',
  }),
  VENUE_DEPOSIT_TOKEN: variable(SECRET, {
    readBy: ['exchange', 'watcher'],
    meaning: 'the secret of the watcher, only for reporting deposits',
    absent: '`VENUE_OPERATOR_TOKEN`, with a warning',
    secret: true,
    code: 'CUS-9',
  }),
  VENUE_PAYOUT_TOKEN: variable(SECRET, {
    readBy: ['exchange', 'batcher', 'operator commit'],
    meaning: 'the secret of the batcher, only for reading payouts and recording them as committed',
    absent: '`VENUE_OPERATOR_TOKEN`, with a warning',
    secret: true,
    code: 'CUS-9',
  }),
  VENUE_ATTEST_TOKEN: variable(SECRET, {
    readBy: ['exchange', 'attestor'],
    meaning: 'the secret of the attestor, only for answering for contract wallets',
    absent: '`VENUE_OPERATOR_TOKEN`, with a warning',
    secret: true,
    code: 'CUS-19',
  }),
  VENUE_FEED_TOKEN: variable(SECRET, {
    readBy: ['exchange'],
    neededBy: ['feed'],
    meaning: 'the secret of a feed, for posting prices; `venue up` creates one',
    absent: 'no prices',
    secret: true,
    code: 'CRED-1',
  }),
  VENUE_MAKER_TOKEN: variable(SECRET, {
    readBy: ['exchange', 'maker'],
    meaning: "the secret of the venue's own maker; `venue up` creates one",
    absent: 'no venue maker; a maker needs this or `VENUE_MAKER_KEY`',
    secret: true,
    code: 'CRED-1',
  }),
  VENUE_SETTLE_TOKEN_1: variable(SECRET, {
    readBy: ['exchange', 'operator settle propose'],
    neededBy: ['operator settle'],
    meaning: 'the secret of one of two people who settle by hand',
    absent: 'only operators named in `VENUE_OPERATORS` settle by hand',
    secret: true,
    code: 'CRED-1',
  }),
  VENUE_SETTLE_TOKEN_2: variable(SECRET, {
    readBy: ['exchange', 'operator settle propose'],
    neededBy: ['operator settle'],
    meaning: 'the secret of one of two people who settle by hand',
    absent: 'only operators named in `VENUE_OPERATORS` settle by hand',
    secret: true,
    code: 'CRED-1',
  }),
  VENUE_SETTLE_HASH_1: variable(SECRET_HASH, {
    readBy: ['exchange'],
    meaning: 'the SHA-256 of such a secret, from `venue operator settle-hash`',
    absent: 'the secret itself',
    code: 'CUS-10',
  }),
  VENUE_SETTLE_HASH_2: variable(SECRET_HASH, {
    readBy: ['exchange'],
    meaning: 'the SHA-256 of such a secret, from `venue operator settle-hash`',
    absent: 'the secret itself',
    code: 'CUS-10',
  }),
  VENUE_METRICS_TOKEN: variable(SECRET, {
    readBy: ['exchange', 'follower'],
    meaning:
      'the secret for reading `/metrics` from another machine; at least 32 characters, different from the others',
    absent: 'this machine only',
    secret: true,
    code: 'OWN-71',
  }),
  VENUE_TOKEN_SECRET: variable(sealedSecret(SECRET_LENGTH_MIN), {
    readBy: ['exchange', 'follower'],
    meaning: 'the secret that seals bearer tokens; shared by nodes and followers of one log',
    absent: 'random: a restart signs everybody out, and followers know no token',
    secret: true,
    code: 'AUTH-2',
  }),
};
