/** Every limit of the engine, and the relations between them. */

import { MICROS_MAX } from '@venue/protocol';

export { EPOCH_SPAN, NONCE_WINDOW_MS, SESSION_LIFETIME_MAX_MS } from '@venue/protocol';

export const TAKER_FEE_BPS = 50;
export const BPS = 10_000;

export const FILLS_KEPT = 500;

export const SESSIONS_PER_ACCOUNT_MAX = 64;
/** Maximum session records per account, including dead ones that must be remembered (KEY-2). */
export const SESSION_RECORDS_PER_ACCOUNT_MAX = 1_024;
/** How long an expired session still answers `session expired` before it is pruned (OWN-12). */
export const SESSION_GRACE_MS = 24 * 3_600_000;

/** A challenge is valid for ten minutes from its issue, which by a node's clock may be up to a minute after its spending. */
export const CHALLENGE_REMEMBERED_MS = 12 * 60_000;
/** Beyond this number, failed sign-in attempts are not remembered: anyone can make them, for any address. */
export const FAILED_CHALLENGES_MAX = 65_536;

/** How long a parked approval waits for the attestor (CUS-19). */
export const PARKED_MS = 10 * 60_000;
/**
 * Parked approvals for addresses without an account, in all, and for any one address: anyone can park some, for any address. Those
 * of accounts do not count among the former, so that invented addresses keep no owner out.
 */
export const PARKED_MAX = 256;
export const PARKED_PER_ADDRESS_MAX = 8;
/** Parked revocations of one session. Nothing else takes their room, as a stolen key does harm until it is revoked. */
export const PARKED_REVOCATIONS_MAX = 32;
/** Answers to parked approvals that are remembered for the wallets that parked them. */
export const PARKED_ANSWERS_KEPT = 1_024;
/** Characters of a contract wallet's signature: 0x and the hex digits of 4 KiB. */
export const CONTRACT_SIGNATURE_LENGTH_MAX = 2 + 2 * 4_096;

/** Timed orders of one account, so that one entry never carries out too many deadlines of a stranger (TIF-1). */
export const TIMED_ORDERS_MAX = 1_024;
/** Resting orders of one account that were placed in batches (BAT-7). */
export const RESTING_ORDERS_MAX = 10_000;
/** Resting orders that one entry or preview may visit (BAT-7). */
export const VISITS_MAX = 50_000;
/**
 * Other work in visits, by its measured cost: a fill, a quote that leaves with the allowance of its set, an order or a set
 * copied for a preview. A quote of a set counts more than an order, as its set is looked at too. `npm run bench -- combos`
 * measures them.
 */
export const VISITS_PER_QUOTE = 5;
export const VISITS_PER_FILL = 12;
export const VISITS_PER_LEAVING = 4;
export const VISITS_PER_COPY = 5;
export const VISITS_PER_SET = 20;
/** A position counts so when an entry first looks at its account, and when an order or a combo changes its group. */
export const VISITS_PER_POSITION = 2;
export const VISITS_PER_GROUPED = 4;
/** A position counts so when its account changes the margin mode. */
export const VISITS_PER_SWITCHED = 10;
/** How long a client id is known after its order is closed (CID-1). */
export const CLIENT_ID_REMEMBERED_MS = 24 * 3_600_000;
/** How many ids of closed orders an account is known by at most: the newest. */
export const CLIENT_IDS_REMEMBERED = 1_000;

/** Remembered attempts to register a quote session; a repetition after that counts as new. */
export const QUOTE_ATTEMPTS_KEPT = 1_024;

export const SOURCES_PER_SYMBOL_MAX = 16;
export const SOURCE_NAME_LENGTH_MAX = 64;
export const EXPIRIES_MAX = 64;
/** A maintenance tick within this share of the interval after the last one is a duplicate. */
export const MAINTENANCE_EARLY_SHARE = 0.5;

/** Maximum payouts per account that are requested but not yet committed on chain. */
export const WITHDRAWALS_OUTSTANDING_MAX = 16;

/** The last epoch whose payout numbers are exact integers. */
export const EPOCH_MAX = 2 ** 13 - 1;
export const APPROVALS_PER_PAYOUT_MAX = 8;
/** Characters of an operator's reason. */
export const REASON_LENGTH_MAX = 200;

/** Deposits minus withdrawals stay far inside the exact range, so that no account's cash can leave it (OWN-58). */
export const FUNDED_MAX_MICROS = Math.floor(MICROS_MAX / 2);

export const SECOND_MS = 1_000;
/**
 * A jump is judged by the median of this long before it. It stops liquidation for so long at most, and is over once the
 * spot has been back for so long (RSK-5).
 */
export const JUMP_MS = 60 * SECOND_MS;

/** One cent: the least the house receives for a short that it takes over (LIQ-1). */
export const LIQUIDATION_PRICE_MIN_MICROS = 10_000;
/**
 * The most that liquidation may make all traders together owe. Together with deposits and settlement debts it stays in
 * the exact range, so that no price, however absurd, takes anybody's cash out of it.
 */
export const LIQUIDATION_DEBT_MAX_MICROS = Math.floor(MICROS_MAX / 4);
/** The most that all accounts together may owe once an expiry is paid: a price that would exceed it is refused. */
export const SETTLEMENT_DEBT_MAX_MICROS = Math.floor(MICROS_MAX / 4);
if (FUNDED_MAX_MICROS + LIQUIDATION_DEBT_MAX_MICROS + SETTLEMENT_DEBT_MAX_MICROS > MICROS_MAX) {
  throw new Error('what may be paid in and owed leaves the exact range');
}
/** Work of one slice of liquidation; each account and each of its positions counts one. */
export const LIQUIDATION_SLICE_WORK = 20_000;
/** Work of buying back one short; each order it trades with, or that is pulled before, counts `LIQUIDATION_ORDER_WORK`. */
export const LIQUIDATION_SHORT_WORK = 100;
export const LIQUIDATION_ORDER_WORK = 20;

/** One cent: what a level reserves at least, so that none is free to keep (QTS-4). */
export const SET_LEVEL_RESERVE_MICROS = 10_000;

/** Quotes of silent sets that one maintenance tick pulls, and the rest of the last set (QTS-5). */
export const EXPIRING_QUOTES_MAX = 20_000;

/** Volatilities above this are no annotation for the model (RSK-2). */
export const ANNOTATED_IV_MAX = 5;
/** How old an annotation may be. */
export const ANNOTATION_MS = 24 * 3_600_000;
/** From this age on a repeated annotation is recorded again, long before it is too old. */
export const ANNOTATION_RENEWED_MS = 3_600_000;

/** A settlement price is an average over this long before the cutoff. */
export const ORACLE_WINDOW_MS = 30 * 60_000;
/** No configuration lets a hand settlement be further from its anchor. */
export const HAND_BPS_MAX = 1_000;
/** How long a proposal of a hand settlement may be confirmed (CUS-10). */
export const SETTLE_PROPOSAL_MS = 15 * 60_000;
/** Proposals of one secret that may wait at a time: none is pushed out, so that a thief of the secret ends no owner's. */
export const SETTLE_PROPOSALS_MAX = 16;
/** How long one person's request to bind the ledger waits for the other's. */
export const BIND_REQUEST_MS = 15 * 60_000;
/** Decisions remembered per underlying. */
export const DECISIONS_KEPT = 500;
/** Attempts at hand settlement kept in memory; the log has them all. */
export const AUDIT_KEPT = 100_000;
/** Work of one slice of settlement; a series counts `SETTLE_SERIES_WORK`, a position or a pulled order counts one. */
export const SETTLE_SLICE_WORK = 5_000;
export const SETTLE_SERIES_WORK = 2;
