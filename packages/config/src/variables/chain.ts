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
    meaning: 'the addresses of chain nodes, which may contain keys; only what all of them say counts',
    absent: '`VENUE_RPC_URL`; without either, daemons do not start',
    secret: true,
    code: 'CUS-11',
  }),
  VENUE_RPC_URL: variable(hiddenUrl('http'), {
    readBy: ['watcher', 'batcher', 'checker', 'attestor', 'reserves'],
    meaning: 'the address of a single chain node, which may contain a key',
    absent: '`VENUE_RPC_URLS`',
    secret: true,
    code: 'CUS-11',
  }),
  VENUE_RPC_SINGLE: variable(flag(), {
    readBy: ['watcher', 'batcher', 'checker', 'attestor'],
    meaning: 'whether one node is enough; it could invent deposits, reserves and signatures',
    default: 0,
    code: 'CUS-11',
  }),
  VENUE_CHAIN_ID: variable(integer(1, Number.MAX_SAFE_INTEGER), {
    readBy: ['reserves'],
    neededBy: ['watcher', 'batcher', 'attestor', 'operator payouts approve'],
    meaning: 'the chain id that the node must have',
    absent: "`venue reserves` takes the node's",
  }),
  VENUE_VAULT_ADDRESS: variable(ADDRESS, {
    neededBy: ['watcher', 'batcher', 'reserves', 'operator payouts approve'],
    meaning: 'the address of the vault contract',
  }),
  VENUE_TOKEN_ADDRESS: variable(ADDRESS, {
    readBy: ['reserves'],
    neededBy: ['watcher', 'batcher'],
    meaning: 'the address of the stablecoin that the vault must hold',
    absent: "`venue reserves` takes the vault's",
  }),
  VENUE_VAULT_DEPLOYMENT: variable(text('a file that `venue vault deploy` wrote'), {
    readBy: ['watcher', 'batcher', 'reserves'],
    neededBy: ['checker'],
    meaning:
      'the file with the expected code hash of a vault that another release deployed; for the checker, the file that names the gate',
    absent: "this release's code is expected",
    code: 'CUS-20',
  }),
  VENUE_VAULT_FROM_BLOCK: variable(integer(0, BLOCK_MAX), {
    readBy: ['reserves'],
    neededBy: ['watcher', 'batcher'],
    meaning: "the block of the vault's deployment, from which events are read",
    absent: '`venue reserves` finds it',
  }),
  VENUE_CONFIRMATIONS: variable(confirmations(10_000), {
    readBy: ['watcher', 'batcher', 'checker', 'attestor'],
    meaning: 'the number of later blocks until a block counts, or `finalized`',
    absent: '`finalized` if the chain has it, otherwise 12',
    code: 'CUS-13',
  }),
  VENUE_RPC_CHUNK_BLOCKS: variable(integer(1, 100_000), {
    readBy: ['watcher', 'batcher', 'reserves'],
    meaning: 'the maximum number of blocks in one log request',
    default: 2_000,
  }),
  VENUE_RPC_POLL_MS: variable(milliseconds(10, 600_000), {
    readBy: ['watcher', 'batcher', 'checker', 'attestor'],
    meaning: 'the time between two polls of the chain',
    default: 3_000,
  }),
  VENUE_HEAD_STILL_MINUTES: variable(
    { ...integer(0, 1_440), unit: 'minutes' },
    {
      readBy: ['watcher'],
      meaning: "how long the chain's head may stand still before an alarm",
      default: 10,
    },
  ),
  VENUE_VAULT_GIFTS: variable(dollars(1e9), {
    readBy: ['watcher', 'reserves'],
    meaning: 'the sum of plain transfers to the vault, which no deposit explains',
    default: 0,
    code: 'CUS-14',
  }),
  VENUE_WATCHER_STATE: variable(text('a file'), {
    readBy: ['watcher'],
    meaning: "the file with the watcher's progress",
    default: './data/watcher.json',
  }),
  VENUE_WATCHER_SKIP: variable(CHAIN_LOGS, {
    readBy: ['watcher', 'reserves'],
    meaning: 'the deposits handled by hand',
    absent: 'none',
  }),
  VENUE_CHECKER_LOG: variable(
    hiddenText('`sqlite:<path>` or `postgres://user:password@host,host/database`'),
    {
      neededBy: ['checker'],
      meaning: "the checker's own copy of the log, from the first entry on",
      secret: true,
      code: 'CUS-18',
    },
  ),
  VENUE_CHECKER_STATE: variable(text('a file'), {
    readBy: ['checker'],
    meaning:
      'the file with confirmations by contract wallets; `.proven` beside it has what is proven of the log',
    default: './data/checker.json',
    code: 'CUS-18',
  }),
  VENUE_CHECKER_SEEN: variable(SEEN, {
    readBy: ['checker'],
    meaning:
      'the approvals (by entry), payouts, operations, proposers and guardians that a person has approved',
    absent: 'none',
    code: 'CUS-18',
  }),
  VENUE_BATCHER_STATE: variable(text('a file'), {
    readBy: ['batcher'],
    meaning: 'the file with the open batch',
    default: './data/batcher.json',
  }),
  VENUE_VAULT_OPERATOR_KEY: variable(PRIVATE_KEY, {
    readBy: ['batcher'],
    meaning: "the key of the vault's operator, or of a proposer at its gate; only the batcher may have it",
    absent: 'a keystore or signer',
    secret: true,
    code: 'CUS-17',
  }),
  VENUE_VAULT_OPERATOR_KEYSTORE: variable(text('a file'), {
    readBy: ['batcher'],
    meaning: 'the encrypted file of such a key (version 3, as from geth)',
    absent: 'a key or signer',
    code: 'CUS-17',
  }),
  VENUE_VAULT_OPERATOR_PASSWORD: variable(hiddenText('any text'), {
    readBy: ['batcher'],
    meaning: 'the password of that keystore',
    absent: 'no keystore',
    secret: true,
    code: 'CUS-17',
  }),
  VENUE_VAULT_OPERATOR_SIGNER: variable(hiddenUrl('http'), {
    readBy: ['batcher'],
    meaning:
      'the address of a server that signs with such a key (`eth_signTransaction`; `eth_sign` for approvers)',
    absent: 'a key or keystore',
    secret: true,
    code: 'CUS-17',
  }),
  VENUE_VAULT_OPERATOR_ADDRESS: variable(ADDRESS, {
    readBy: ['batcher'],
    meaning: "the address of that signer's key",
    absent: 'no signer',
    code: 'CUS-17',
  }),
  VENUE_GUARDIAN_KEY: variable(PRIVATE_KEY, {
    readBy: ['vault gate', 'checker'],
    meaning: 'the key of a guardian of the gate, which votes and pauses',
    absent: 'a keystore or signer',
    secret: true,
    code: 'CUS-15',
  }),
  VENUE_GUARDIAN_KEYSTORE: variable(text('a file'), {
    readBy: ['vault gate', 'checker'],
    meaning: 'the encrypted file of such a key (version 3, as from geth)',
    absent: 'a key or signer',
    code: 'CUS-15',
  }),
  VENUE_GUARDIAN_PASSWORD: variable(hiddenText('any text'), {
    readBy: ['vault gate', 'checker'],
    meaning: 'the password of that keystore',
    absent: 'no keystore',
    secret: true,
    code: 'CUS-15',
  }),
  VENUE_GUARDIAN_SIGNER: variable(hiddenUrl('http'), {
    readBy: ['vault gate', 'checker'],
    meaning:
      'the address of a server that signs with such a key (`eth_signTransaction`; `eth_sign` for approvers)',
    absent: 'a key or keystore',
    secret: true,
    code: 'CUS-15',
  }),
  VENUE_GUARDIAN_ADDRESS: variable(ADDRESS, {
    readBy: ['vault gate', 'checker'],
    meaning: "the address of that signer's key",
    absent: 'no signer',
    code: 'CUS-15',
  }),
  VENUE_BATCH_MAX: variable(integer(1, 200), {
    readBy: ['batcher'],
    meaning: 'the maximum number of payouts in a batch',
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
    meaning: 'the largest payout without an approver; proposed ones are exempt from a lower value',
    absent: 'no limit',
    code: 'CUS-16',
  }),
  VENUE_PAYOUT_ACCOUNT_DAY_MAX: variable(dollars(1e9), {
    readBy: ['batcher'],
    meaning: 'the same for an account in 24 hours',
    absent: 'no limit',
    code: 'CUS-16',
  }),
  VENUE_PAYOUT_HOUR_MAX: variable(dollars(1e9), {
    readBy: ['batcher'],
    meaning: 'the same for all accounts in an hour',
    absent: 'no limit',
    code: 'CUS-16',
  }),
  VENUE_PAYOUT_APPROVERS: variable(ADDRESSES, {
    readBy: ['batcher'],
    meaning: 'the addresses that may approve payouts above the limits',
    absent: 'nobody',
    code: 'CUS-16',
  }),
  VENUE_PAYOUT_UNPROVEN: variable(flag(), {
    readBy: ['batcher'],
    meaning: "whether to make payouts without their owners' signatures, trusting the exchange",
    default: 0,
    code: 'CUS-5',
  }),
  VENUE_FEE_BUMP_AFTER_MS: variable(milliseconds(10, DAY_MS), {
    readBy: ['batcher'],
    meaning: 'the wait before a transaction is resent with a higher fee',
    default: 120_000,
  }),
  VENUE_MAX_FEE_GWEI: variable(integer(1, 1_000_000), {
    readBy: ['batcher', 'vault gate', 'checker'],
    meaning: 'the highest fee offered',
    default: 200,
  }),
  VENUE_PAYOUT_APPROVER_KEY: variable(PRIVATE_KEY, {
    readBy: ['operator payouts approve'],
    meaning: 'the key of a payout approver; no machine of the venue may have it',
    absent: 'a keystore or signer',
    secret: true,
    code: 'CUS-16',
  }),
  VENUE_PAYOUT_APPROVER_KEYSTORE: variable(text('a file'), {
    readBy: ['operator payouts approve'],
    meaning: 'the encrypted file of such a key (version 3, as from geth)',
    absent: 'a key or signer',
    code: 'CUS-16',
  }),
  VENUE_PAYOUT_APPROVER_PASSWORD: variable(hiddenText('any text'), {
    readBy: ['operator payouts approve'],
    meaning: 'the password of that keystore',
    absent: 'no keystore',
    secret: true,
    code: 'CUS-16',
  }),
  VENUE_PAYOUT_APPROVER_SIGNER: variable(hiddenUrl('http'), {
    readBy: ['operator payouts approve'],
    meaning:
      'the address of a server that signs with such a key (`eth_signTransaction`; `eth_sign` for approvers)',
    absent: 'a key or keystore',
    secret: true,
    code: 'CUS-16',
  }),
  VENUE_PAYOUT_APPROVER_ADDRESS: variable(ADDRESS, {
    readBy: ['operator payouts approve'],
    meaning: "the address of that signer's key",
    absent: 'no signer',
    code: 'CUS-16',
  }),
  VENUE_DEPLOYER_KEY: variable(PRIVATE_KEY, {
    neededBy: ['vault deploy'],
    meaning: 'the key that pays for deploying a vault; it gets no rights over it',
    secret: true,
  }),
};
