/** Variables of the chain, its vault, the watcher, the batcher and the attestor. */

import {
  ADDRESS,
  ADDRESSES,
  CHAIN_LOGS,
  confirmations,
  dollars,
  flag,
  hiddenText,
  hiddenUrl,
  hiddenUrls,
  integer,
  milliseconds,
  PRIVATE_KEY,
  SEEN,
  text,
} from '../kinds.ts';
import { variable } from '../variable.ts';

const BLOCK_MAX = 1e12;
const DAY_MS = 86_400_000;

export const CHAIN = {
  VENUE_RPC_URLS: variable(hiddenUrls('http'), {
    readBy: ['watcher', 'batcher', 'checker', 'attestor', 'reserves'],
    meaning: 'the addresses of nodes of the chain, which may hold keys; what counts is what all of them say',
    absent: '`VENUE_RPC_URL` is taken, and without that a daemon does not start',
    secret: true,
    code: 'CUS-11',
  }),
  VENUE_RPC_URL: variable(hiddenUrl('http'), {
    readBy: ['watcher', 'batcher', 'checker', 'attestor', 'reserves'],
    meaning: 'the address of a single node of the chain, which may hold a key',
    absent: '`VENUE_RPC_URLS` is taken',
    secret: true,
    code: 'CUS-11',
  }),
  VENUE_RPC_SINGLE: variable(flag(), {
    readBy: ['watcher', 'batcher', 'checker', 'attestor'],
    meaning:
      'whether a single node is enough, which could then invent deposits, reserves and signatures of contracts',
    default: 0,
    code: 'CUS-11',
  }),
  VENUE_CHAIN_ID: variable(integer(1, Number.MAX_SAFE_INTEGER), {
    readBy: ['reserves'],
    neededBy: ['watcher', 'batcher', 'attestor', 'operator payouts approve'],
    meaning: 'the number of the chain that the node is held to',
    absent: "`venue reserves` takes the node's",
  }),
  VENUE_VAULT_ADDRESS: variable(ADDRESS, {
    neededBy: ['watcher', 'batcher', 'reserves', 'operator payouts approve'],
    meaning: 'the address of the vault contract',
  }),
  VENUE_TOKEN_ADDRESS: variable(ADDRESS, {
    readBy: ['reserves'],
    neededBy: ['watcher', 'batcher'],
    meaning: 'the address of the stablecoin that the vault has to hold',
    absent: "`venue reserves` takes the vault's",
  }),
  VENUE_VAULT_DEPLOYMENT: variable(text('a file that `venue vault deploy` wrote'), {
    readBy: ['watcher', 'batcher', 'reserves'],
    neededBy: ['checker'],
    meaning:
      'the file whose code hash the vault has to have, where another release deployed it; to the checker, the file that names the gate',
    absent: 'the vault has to have the code of this release',
    code: 'CUS-20',
  }),
  VENUE_VAULT_FROM_BLOCK: variable(integer(0, BLOCK_MAX), {
    readBy: ['reserves'],
    neededBy: ['watcher', 'batcher'],
    meaning: 'the block in which the vault was deployed; nothing before it is read',
    absent: '`venue reserves` looks for the deployment',
  }),
  VENUE_CONFIRMATIONS: variable(confirmations(10_000), {
    readBy: ['watcher', 'batcher', 'checker', 'attestor'],
    meaning: 'the number of blocks on top of one until it counts, or that the chain has to call it final',
    absent: '`finalized` where the chain has that, and 12 where it has not',
    code: 'CUS-13',
  }),
  VENUE_RPC_CHUNK_BLOCKS: variable(integer(1, 100_000), {
    readBy: ['watcher', 'batcher', 'reserves'],
    meaning: 'the most blocks in one request for logs',
    default: 2_000,
  }),
  VENUE_RPC_POLL_MS: variable(milliseconds(10, 600_000), {
    readBy: ['watcher', 'batcher', 'checker', 'attestor'],
    meaning: 'the time between two looks at the chain',
    default: 3_000,
  }),
  VENUE_HEAD_STILL_MINUTES: variable(
    { ...integer(0, 1_440), unit: 'minutes' },
    {
      readBy: ['watcher'],
      meaning: 'how long the head of the chain may stand still until that is an alarm',
      default: 10,
    },
  ),
  VENUE_VAULT_GIFTS: variable(dollars(1e9), {
    readBy: ['watcher', 'reserves'],
    meaning: 'the sum that came to the vault by plain transfers, which no deposit accounts for',
    default: 0,
    code: 'CUS-14',
  }),
  VENUE_WATCHER_STATE: variable(text('a file'), {
    readBy: ['watcher'],
    meaning: 'the file in which the watcher keeps how far it is',
    default: './data/watcher.json',
  }),
  VENUE_WATCHER_SKIP: variable(CHAIN_LOGS, {
    readBy: ['watcher', 'reserves'],
    meaning: 'the deposits that were dealt with by hand',
    absent: 'none',
  }),
  VENUE_CHECKER_LOG: variable(
    hiddenText('`sqlite:<path>` or `postgres://user:password@host,host/database`'),
    {
      neededBy: ['checker'],
      meaning: "the checker's own copy of the log, with every entry from the first on",
      secret: true,
      code: 'CUS-18',
    },
  ),
  VENUE_CHECKER_STATE: variable(text('a file'), {
    readBy: ['checker'],
    meaning:
      'the file in which the checker keeps what contract wallets have confirmed; what it has proven of the log is beside it, with `.proven` at the end',
    default: './data/checker.json',
    code: 'CUS-18',
  }),
  VENUE_CHECKER_SEEN: variable(SEEN, {
    readBy: ['checker'],
    meaning:
      'the approvals (by the entry that parked them), payouts, and announced operations of the failsafe, proposers and guardians that a person has found right',
    absent: 'none',
    code: 'CUS-18',
  }),
  VENUE_BATCHER_STATE: variable(text('a file'), {
    readBy: ['batcher'],
    meaning: 'the file in which the batcher keeps the batch that is open',
    default: './data/batcher.json',
  }),
  VENUE_VAULT_OPERATOR_KEY: variable(PRIVATE_KEY, {
    readBy: ['batcher'],
    meaning:
      'the key that the vault takes commitments from, or its gate proposals; nobody but the batcher may have it',
    absent: 'a keystore or a signer takes its place',
    secret: true,
    code: 'CUS-17',
  }),
  VENUE_VAULT_OPERATOR_KEYSTORE: variable(text('a file'), {
    readBy: ['batcher'],
    meaning: 'the file in which that key lies encrypted (version 3, as geth writes it)',
    absent: 'a key or a signer takes its place',
    code: 'CUS-17',
  }),
  VENUE_VAULT_OPERATOR_PASSWORD: variable(hiddenText('any text'), {
    readBy: ['batcher'],
    meaning: 'the password of the keystore',
    absent: 'no keystore is opened',
    secret: true,
    code: 'CUS-17',
  }),
  VENUE_VAULT_OPERATOR_SIGNER: variable(hiddenUrl('http'), {
    readBy: ['batcher'],
    meaning: 'the address of a server that has that key and signs with it (`eth_signTransaction`)',
    absent: 'a key or a keystore takes its place',
    secret: true,
    code: 'CUS-17',
  }),
  VENUE_VAULT_OPERATOR_ADDRESS: variable(ADDRESS, {
    readBy: ['batcher'],
    meaning: 'the address whose key the signer has',
    absent: 'no signer is asked',
    code: 'CUS-17',
  }),
  VENUE_GUARDIAN_KEY: variable(PRIVATE_KEY, {
    readBy: ['vault gate', 'checker'],
    meaning: 'the key of a guardian of the gate, which votes and pauses',
    absent: 'a keystore or a signer takes its place',
    secret: true,
    code: 'CUS-15',
  }),
  VENUE_GUARDIAN_KEYSTORE: variable(text('a file'), {
    readBy: ['vault gate', 'checker'],
    meaning: 'the file that holds that key encrypted (version 3, as geth writes it)',
    absent: 'a key or a signer takes its place',
    code: 'CUS-15',
  }),
  VENUE_GUARDIAN_PASSWORD: variable(hiddenText('any text'), {
    readBy: ['vault gate', 'checker'],
    meaning: 'the password of that keystore',
    absent: 'no keystore is opened',
    secret: true,
    code: 'CUS-15',
  }),
  VENUE_GUARDIAN_SIGNER: variable(hiddenUrl('http'), {
    readBy: ['vault gate', 'checker'],
    meaning: 'the address of a server that has that key and signs with it (`eth_signTransaction`)',
    absent: 'a key or a keystore takes its place',
    secret: true,
    code: 'CUS-15',
  }),
  VENUE_GUARDIAN_ADDRESS: variable(ADDRESS, {
    readBy: ['vault gate', 'checker'],
    meaning: 'the address whose key that signer has',
    absent: 'no signer is asked',
    code: 'CUS-15',
  }),
  VENUE_BATCH_MAX: variable(integer(1, 200), {
    readBy: ['batcher'],
    meaning: 'the most payouts in a batch',
    default: 200,
    code: 'OWN-65',
  }),
  VENUE_BATCH_INTERVAL_MS: variable(milliseconds(10, DAY_MS), {
    readBy: ['batcher'],
    meaning: 'the time between two batches',
    default: 15_000,
  }),
  VENUE_PAYOUT_MAX: variable(dollars(1e9), {
    readBy: ['batcher'],
    meaning:
      'the largest payout that needs no approver; one that is proposed at a gate already is not held by a lower figure',
    absent: 'no payout is too large',
    code: 'CUS-16',
  }),
  VENUE_PAYOUT_ACCOUNT_DAY_MAX: variable(dollars(1e9), {
    readBy: ['batcher'],
    meaning:
      'the most that one account is paid in 24 hours without an approver; one that is proposed at a gate already is not held by a lower figure',
    absent: 'no account has a limit',
    code: 'CUS-16',
  }),
  VENUE_PAYOUT_HOUR_MAX: variable(dollars(1e9), {
    readBy: ['batcher'],
    meaning:
      'the most that all accounts are paid in an hour without an approver; one that is proposed at a gate already is not held by a lower figure',
    absent: 'no hour has a limit',
    code: 'CUS-16',
  }),
  VENUE_PAYOUT_APPROVERS: variable(ADDRESSES, {
    readBy: ['batcher'],
    meaning: 'the addresses whose signatures let a payout through that the limits hold back',
    absent: 'nobody lets it through',
    code: 'CUS-16',
  }),
  VENUE_PAYOUT_UNPROVEN: variable(flag(), {
    readBy: ['batcher'],
    meaning:
      'whether payouts without words that their owners signed are made as well, on the word of the exchange',
    default: 0,
    code: 'CUS-5',
  }),
  VENUE_FEE_BUMP_AFTER_MS: variable(milliseconds(10, DAY_MS), {
    readBy: ['batcher'],
    meaning: 'the time after which a waiting transaction is sent again with a higher fee',
    default: 120_000,
  }),
  VENUE_MAX_FEE_GWEI: variable(integer(1, 1_000_000), {
    readBy: ['batcher', 'vault gate', 'checker'],
    meaning: 'the highest fee that is offered',
    default: 200,
  }),
  VENUE_PAYOUT_APPROVER_KEY: variable(PRIVATE_KEY, {
    readBy: ['operator payouts approve'],
    meaning: 'the key of an approver of payouts; no machine of the venue may have it',
    absent: 'a keystore or a signer takes its place',
    secret: true,
    code: 'CUS-16',
  }),
  VENUE_PAYOUT_APPROVER_KEYSTORE: variable(text('a file'), {
    readBy: ['operator payouts approve'],
    meaning: 'the file in which that key lies encrypted (version 3, as geth writes it)',
    absent: 'a key or a signer takes its place',
    code: 'CUS-16',
  }),
  VENUE_PAYOUT_APPROVER_PASSWORD: variable(hiddenText('any text'), {
    readBy: ['operator payouts approve'],
    meaning: 'the password of that file',
    absent: 'no keystore is opened',
    secret: true,
    code: 'CUS-16',
  }),
  VENUE_PAYOUT_APPROVER_SIGNER: variable(hiddenUrl('http'), {
    readBy: ['operator payouts approve'],
    meaning: 'the address of a server that has that key and signs with it (`eth_sign`)',
    absent: 'a key or a keystore takes its place',
    secret: true,
    code: 'CUS-16',
  }),
  VENUE_PAYOUT_APPROVER_ADDRESS: variable(ADDRESS, {
    readBy: ['operator payouts approve'],
    meaning: 'the address whose key that server has',
    absent: 'no server is asked',
    code: 'CUS-16',
  }),
  VENUE_DEPLOYER_KEY: variable(PRIVATE_KEY, {
    neededBy: ['vault deploy'],
    meaning: 'the key that pays for the deployment of a vault; it gets no right over it',
    secret: true,
  }),
};
