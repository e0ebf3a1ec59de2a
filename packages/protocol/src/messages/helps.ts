/** The remedy for every refusal: a sentence for people, by the refusal's code (ERR-1). */

import type { AMOUNT_MESSAGES } from './amounts.ts';
import type { EDGE_MESSAGES, PUSH_MESSAGES } from './around.ts';
import type { FIELDS } from './fields.ts';
import type { GAP_MESSAGES, MESSAGES } from './messages.ts';
import type { ReasonCode } from './reasons.ts';
import type { CodeOf } from './refusal.ts';

/** The code of a refusal of the venue, as the header `x-venue-code` carries it (ERR-1). */
export type VenueCode =
  | ReasonCode
  | CodeOf<
      keyof (typeof MESSAGES &
        typeof AMOUNT_MESSAGES &
        typeof GAP_MESSAGES &
        typeof FIELDS &
        typeof EDGE_MESSAGES &
        typeof PUSH_MESSAGES)
    >;

const NEW_CHALLENGE = 'Request a new challenge and sign that one.';
const SIGN_IN = 'Sign in again and send one token.';
const APPROVE = 'Approve a new session key.';
const LOOK_FIRST = 'Read the account and its orders first: an earlier request may have been carried out.';
const FIX = 'Correct the field; the API document lists what it takes.';
const FEWER = 'Split the request into smaller ones.';
const RETRY = 'Retry after a pause.';
const CREDENTIAL = 'Check which secret the process was given.';
const READ_AGAIN = 'Read the current record before sending another request.';
const OPERATOR = 'Contact the operator; nothing that the account can do changes it.';
const LIST_SERIES = 'Choose a series from GET /v1/series.';
const CANCEL_OR_FUND = 'Lower the quantity, cancel resting orders, close a position or deposit.';
const PULL_ROW = 'Reduce or remove the row.';

export const HELPS: Readonly<Record<VenueCode, string>> = {
  // Sign-in, tokens, session keys
  'no-challenge': NEW_CHALLENGE,
  'challenge-expired': NEW_CHALLENGE,
  'unknown-token': SIGN_IN,
  'conflicting-tokens': SIGN_IN,
  'approval-not-by-account': 'Sign the approval with the wallet whose address it names.',
  'bad-expiry': 'Choose an expiry within the next 30 days, by the time of the venue.',
  'unknown-session-key': APPROVE,
  'session-expired': APPROVE,
  'too-many-sessions': 'Revoke a session key that is no longer used.',
  'too-many-accounts': OPERATOR,
  'no-contract': 'Sign with the key of the account, or deploy its contract first.',
  'not-signed-by-contract': 'Sign as the contract requires, then post the approval again.',
  'contract-failed': 'Check that the contract answers isValidSignature, then post the approval again.',
  'parked-lapsed': 'Post the approval again.',
  'too-many-parked': RETRY,
  'unknown-parked': 'Post the approval again; it has lapsed or was never made.',
  'other-chain': 'Use the chain of the vault.',
  'signs-itself': 'Sign the approval with the key of the account.',
  'not-your-session-key': 'Revoke with the account that approved the key.',

  // Signed writes
  'bad-signature': 'Sign exactly the text that POST /v1/debug/envelope shows for the same body.',
  'nonce-outside-window': 'Take the nonce from the time of the venue, in milliseconds.',
  'nonce-used': LOOK_FIRST,
  'field-has-newline': 'Remove the line break.',
  'must-be-signed': APPROVE,
  'signature-fields-required': 'Send sessionKey, nonce and signature together; the nonce is a JSON integer.',
  'too-many-in-flight': 'Retry after a pause with a fresh nonce.',
  'too-many-actions': 'Send at most 64 actions in a batch.',
  'stale-push': 'Push again with a nonce above that of the last push.',
  'too-many-rows': FEWER,

  // Cancel and margin
  'symbol-or-series': 'Send one of symbol and seriesId.',
  'symbol-and-symbols': 'Send one of symbol and symbols.',
  'symbol-comma': 'Send several symbols as a list.',
  'symbol-reserved': 'Leave the field out to cancel all.',
  'margin-short-exposure': 'Buy back the shorts and cancel the sells that would open one.',

  // The stream
  'unknown-channel': 'Check the name against the list of channels.',
  'channel-ended': 'Subscribe to a series or an expiry that is still listed.',
  'channels-repeat': 'Name each channel once.',
  'too-many-channels': 'Unsubscribe from a channel, or open a second connection.',
  'fills-not-kept': 'Read the missed fills with GET /v1/fills, then subscribe without after.',
  'other-account': 'Open a connection of its own for each account.',

  // Custody
  'amount-not-positive': 'Send an amount above zero with at most six decimals.',
  'too-many-withdrawals': 'Wait until one of the outstanding withdrawals is committed.',
  'account-frozen': OPERATOR,
  'unknown-withdrawal': 'Take the id from GET /v1/withdrawals.',
  'deposit-too-large': 'Report the deposit to the operator; the ledger cannot hold it.',
  'deposit-conflict': READ_AGAIN,
  'other-vault': 'Point the watcher at the vault that the ledger is bound to.',
  'unknown-deposit': 'Check the transaction hash and the log index.',
  'deposit-not-held': READ_AGAIN,
  'held-already': READ_AGAIN,
  'deposit-of-house': READ_AGAIN,
  'withdrawals-frozen': OPERATOR,
  'unknown-account': 'Check the address; it has never signed in.',
  'payout-voided': READ_AGAIN,
  'payout-not-requested': READ_AGAIN,
  'payout-known': READ_AGAIN,
  'payout-of-this-epoch': 'Raise the epoch first.',
  'deposits-missing': 'Wait until the watcher has credited the deposits.',
  'not-next-epoch': READ_AGAIN,
  'past-differs': 'Send zero for both amounts, or exactly what the ledger has recorded.',
  'funder-trades': 'Fund from an address that does not trade.',
  'too-many-approvals': READ_AGAIN,
  'nothing-held': 'Check the address; no deposit waits for it.',
  'committed-elsewhere': READ_AGAIN,
  'insufficient-withdrawable':
    'Withdraw at most what is available, or close positions and cancel orders first.',
  'below-smallest-payout': 'Withdraw at least the smallest payout.',

  // Hand settlement
  'settles-no-series': 'Take the series or expiry from the list of those under review.',
  'series-settled': LIST_SERIES,
  'not-pending-review': 'Only a series that the oracle refused is settled by hand.',
  'no-oracle-print': 'Without a print at the expiry, hand settlement is closed.',
  'price-out-of-bound': 'Name a price within the bound of the last oracle print.',
  'payout-too-large': 'Name a price whose payouts the ledger can hold.',
  'price-differs': 'Use the price that was decided for this expiry.',
  'both-secrets': 'Send one secret; the second operator confirms with the other.',
  'unknown-proposal': 'Propose again.',
  'own-proposal': 'Have the second operator confirm.',
  'too-many-proposals': 'Confirm one, or have the second operator propose.',
  'proposal-differs': 'Confirm the target and price that were proposed.',

  // Nodes, operators and the maker
  'history-unavailable': RETRY,
  'simulated-prices': 'Name a live source in `VENUE_FEED_SOURCE`.',
  'too-many-simulations': RETRY,
  'wrong-credential': CREDENTIAL,
  'wrong-role': 'Have somebody do it who has the role; `venue operators list` shows who.',
  'no-quote-session': 'Begin a quote session; another maker may have taken over.',
  'push-malformed': 'Encode the rows as the codec of the SDK does.',
  'follower-reads': 'Send writes to a node of the venue.',
  'not-ready': RETRY,

  // Any route
  'malformed-request': 'Send well-formed HTTP/1.1.',
  'malformed-after': 'Send the number of a log entry, or leave the header out.',
  'not-found': 'Check the path; some routes exist in only one funding mode.',
  'unknown-series': LIST_SERIES,
  'unknown-order': 'Read GET /v1/orders: it has filled, was cancelled or never existed.',
  'unknown-symbol': 'Take the symbol from GET /v1/meta.',
  'body-too-large': FEWER,
  'wrong-content-type': 'Send content-type: application/json.',
  'content-encoded': 'Send the body without a content encoding.',
  'unsupported-encoding': 'Send the body without a content encoding.',
  'malformed-json': 'Send well-formed JSON.',
  'not-yet-upgraded': 'Retry once all nodes of the venue are upgraded.',
  internal: 'Retry a read after a pause; before repeating a write, read the account and its orders.',
  'field-required': FIX,
  'field-malformed': FIX,
  'field-empty': FIX,
  'field-wrong': FIX,

  // Declined orders
  'series-expired': LIST_SERIES,
  'bad-qty': 'Send a quantity above zero with at most six decimals.',
  'bad-price': 'Send a price above zero with at most six decimals.',
  'insufficient-cash': 'Buy back less, or deposit.',
  'reduce-only': 'Buy back shorts, no more than the position.',
  'equity-depleted': 'Close positions or deposit.',
  'no-liquidity': 'Send a limit order, which waits in the book.',
  'margin-off': 'Turn margin on, or sell no more than the long position.',
  'insufficient-margin': CANCEL_OR_FUND,
  'insufficient-buying-power': CANCEL_OR_FUND,
  'house-line-exceeded': 'Quote less, or let the operator raise the line.',

  // Actions of a batch
  'order-expired': 'Choose a later expiresAt, by the time of the venue.',
  'too-many-timed-orders': 'Cancel an order with an expiry, or use gtc.',
  'too-many-resting-orders': 'Cancel resting orders first.',
  'too-much-work': 'Send fewer orders in one batch, or smaller ones.',
  'nothing-to-reduce':
    'Cancel the orders that close the position already; without a position there is nothing to close.',
  'post-only-would-trade': 'Move the price away from the book, or drop post-only.',
  'fok-cannot-fill': 'Lower the quantity, improve the price, or use ioc.',
  'self-trade-prevented': 'Cancel the own order that it meets, or choose another stp.',
  'filled-more-than-expected': 'Read the order, then amend again.',
  'set-frozen': 'Send unfreeze for the set, then push again.',
  'unknown-set': 'Send protect for the set first.',
  'set-has-quotes': 'Pull the quotes of the set first.',
  'mode-needs-buying-power': 'Close positions, cancel orders or deposit.',
  'mode-bars-sets': 'End the quote sets, or stay in per-leg margin.',

  // Rows of quotes and prices
  'malformed-row': FIX,
  'malformed-print': FIX,
  'too-many-levels': PULL_ROW,
  'not-best-first': 'Order bids from the highest price down, asks from the lowest up.',
  'crossed-ladder': 'Quote bids below asks.',
  'other-symbol': 'Push series of the symbol that the set is protected for.',
  'level-above-limit': 'Quote no level above the quantity of the protection.',
  'bad-source': 'Name the source in 1 to 32 characters.',
  'too-many-sources': 'Retire a source before adding another.',

  // The proxy in front of the nodes
  'too-many-requests': 'Retry after the seconds of the retry-after header.',
  'address-too-long': FEWER,
  'needs-https': 'Use https.',
  'exchange-unreachable': RETRY,
  'exchange-late': LOOK_FIRST,

  // Web push
  'too-many-devices': 'Turn off notifications on another device.',
  'no-room-for-devices': OPERATOR,
  'unknown-push-service': 'Use another browser.',
  'push-body-too-large': FEWER,
  'out-of-touch': RETRY,
};
