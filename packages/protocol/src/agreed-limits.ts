/** Limits of the exchange on which others rely as well, who check what it answers. */

/** How far the nonce of a signed write may be from the time of its entry (SIG-4). */
export const NONCE_WINDOW_MS = 60_000;
/** No session lasts longer (KEY-1). */
export const SESSION_LIFETIME_MAX_MS = 30 * 24 * 3_600_000;
/** Payouts of one epoch: the number of a payout in the vault is its epoch times this, plus its id (CUS-3). */
export const EPOCH_SPAN = 2 ** 40;
