/** Every limit of the engine, and what relates them. */

import { MICROS_MAX } from '@venue/protocol';

export const TAKER_FEE_BPS = 50;
export const BPS = 10_000;

export const FILLS_KEPT = 500;

export const NONCE_WINDOW_MS = 60_000;
export const SESSION_LIFETIME_MAX_MS = 30 * 24 * 3_600_000;
export const SESSIONS_PER_ACCOUNT_MAX = 64;
/** Records an account may hold in all, the dead ones that must be remembered included (KEY-2). */
export const SESSION_RECORDS_PER_ACCOUNT_MAX = 1_024;
/** How long an expired session still answers `session expired` before it is forgotten (OWN-12). */
export const SESSION_GRACE_MS = 24 * 3_600_000;

/** A challenge lives for ten minutes from its issue, which a node's clock may put into the minute after its spending. */
export const CHALLENGE_REMEMBERED_MS = 12 * 60_000;
/** Past so many that are remembered, no failed attempt to sign in is added: anybody can make them, for any address. */
export const FAILED_CHALLENGES_MAX = 65_536;

/** Attempts to register a quote session that are remembered: one that is repeated later than that is a new one. */
export const QUOTE_ATTEMPTS_KEPT = 1_024;

export const SOURCES_PER_SYMBOL_MAX = 16;
export const SOURCE_NAME_LENGTH_MAX = 64;
export const EXPIRIES_MAX = 64;
/** A maintenance tick within this share of the interval after the last is a duplicate. */
export const MAINTENANCE_EARLY_SHARE = 0.5;

/** Payouts of an account that are asked for and not yet committed on chain. */
export const WITHDRAWALS_OUTSTANDING_MAX = 16;

/** What was paid in and not taken out again stays far inside the exact range, so that no account's cash can leave it (OWN-58). */
export const FUNDED_MAX_MICROS = Math.floor(MICROS_MAX / 2);

/** One cent: the least the house is given for a short that it takes over (LIQ-1). */
export const LIQUIDATION_PRICE_MIN_MICROS = 10_000;
/**
 * What liquidation may make all traders together owe. Whatever was paid in, whatever liquidation and settlement may make
 * owe, all of it stays in the exact range, so that no price, however absurd, takes anybody's cash out of it.
 */
export const LIQUIDATION_DEBT_MAX_MICROS = Math.floor(MICROS_MAX / 4);
/** What all accounts together may owe once an expiry is paid: a price that would take them further is refused. */
export const SETTLEMENT_DEBT_MAX_MICROS = Math.floor(MICROS_MAX / 4);
if (FUNDED_MAX_MICROS + LIQUIDATION_DEBT_MAX_MICROS + SETTLEMENT_DEBT_MAX_MICROS > MICROS_MAX) {
  throw new Error('what may be paid in and owed leaves the exact range');
}
/** Work of one slice of the sweep, an account looked at or a position of it each counting one. */
export const SWEEP_SLICE_WORK = 20_000;
/** What buying back one short counts for, and so does each order that it trades with or that is pulled before. */
export const SWEEP_SHORT_WORK = 100;
export const SWEEP_ORDER_WORK = 20;

/** A settlement price is an average over this long before the cutoff. */
export const ORACLE_WINDOW_MS = 30 * 60_000;
/** No configuration lets a hand settlement stray further from its anchor. */
export const HAND_BPS_MAX = 1_000;
/** Decisions remembered for each underlying. */
export const DECISIONS_KEPT = 500;
/** Attempts to settle by hand that are kept at hand; the log has them all. */
export const AUDIT_KEPT = 100_000;
/** Work of one slice of settlement: a series, a position and an order pulled each count as much. */
export const SETTLE_SLICE_WORK = 5_000;
export const SETTLE_SERIES_WORK = 2;
