/** Every error text the service answers with, and its HTTP status. The dash is U+2014. */

import { formatCents, type Micros } from '../units.ts';
import { AMOUNT_MESSAGES, needHave } from './amounts.ts';
import { BATCH_REJECT, REJECT } from './reasons.ts';
import { coded, filled, type PublicError } from './refusal.ts';

export const MESSAGES = coded({
  // Sign-in, tokens, session keys
  noChallenge: { status: 401, error: 'no challenge' },
  challengeExpired: { status: 401, error: 'challenge expired' },
  unknownToken: { status: 401, error: 'missing or unknown token' },
  conflictingTokens: { status: 401, error: 'two different tokens' },
  approvalNotByAccount: { status: 401, error: 'approval was not signed by the account it names' },
  badExpiry: { status: 401, error: 'expiry must be in the future and within 30 days' },
  unknownSessionKey: { status: 401, error: 'unknown or revoked session key' },
  sessionExpired: { status: 401, error: 'session expired — approve a new one' },
  tooManySessions: { status: 400, error: 'too many sessions' },
  tooManyAccounts: { status: 400, error: 'too many accounts' },
  noContract: { status: 401, error: 'there is no contract at this address' },
  notSignedByContract: { status: 401, error: 'the contract does not accept this signature' },
  contractFailed: { status: 401, error: 'the contract failed when it was asked about this signature' },
  parkedLapsed: { status: 401, error: 'not confirmed on chain in time — post it again' },
  tooManyParked: { status: 400, error: 'too many approvals wait for the chain — retry' },
  unknownParked: { status: 404, error: 'no such parked approval' },
  otherChain: { status: 409, error: 'not the chain of the vault' },
  signsItself: { status: 409, error: 'the key of this account approves its sessions' },
  notYourSessionKey: { status: 403, error: 'not your session key' },

  // Signed writes
  badSignature: { status: 401, error: 'bad signature' },
  nonceOutsideWindow: { status: 401, error: 'nonce outside the accepted window' },
  nonceUsed: { status: 401, error: 'nonce already used' },
  fieldHasNewline: { status: 401, error: 'field contains a newline' },
  mustBeSigned: { status: 401, error: 'this request must be signed — approve a trading session' },
  signatureFieldsRequired: { status: 400, error: 'nonce and signature required with sessionKey' },
  tooManyInFlight: { status: 429, error: 'too many orders in flight — retry' },
  tooManyActions: { status: 400, error: 'too many actions' },
  unknownSet: { status: 400, error: BATCH_REJECT.unknownSet },
  setFrozen: { status: 400, error: BATCH_REJECT.setFrozen },
  stalePush: { status: 400, error: 'stale push' },
  tooManyRows: { status: 400, error: 'too many rows' },
  badQty: { status: 400, error: REJECT.badQty },
  badPrice: { status: 400, error: REJECT.badPrice },

  // Cancel and margin
  symbolOrSeries: { status: 400, error: 'one of symbol and seriesId is required, and not both' },
  symbolAndSymbols: { status: 400, error: 'symbol and symbols exclude each other' },
  symbolComma: { status: 400, error: 'symbol contains a comma' },
  symbolReserved: { status: 400, error: 'all is not a symbol' },
  marginShortExposure: { status: 400, error: 'margin cannot be turned off while short exposure exists' },

  // The stream
  unknownChannel: { status: 400, error: 'unknown channel' },
  channelEnded: { status: 400, error: 'channel has ended' },
  channelsRepeat: { status: 400, error: 'channels must not repeat' },
  tooManyChannels: { status: 400, error: 'too many channels' },
  fillsNotKept: { status: 400, error: 'fills after this id are no longer kept — read their history' },
  otherAccount: { status: 400, error: 'the connection is signed in for another account' },

  // Custody
  amountNotPositive: { status: 400, error: 'amount must be positive' },
  tooManyWithdrawals: { status: 400, error: 'too many outstanding withdrawals' },
  accountFrozen: { status: 400, error: REJECT.accountFrozen },
  unknownWithdrawal: { status: 404, error: 'unknown withdrawal' },
  depositTooLarge: { status: 400, error: 'deposits past what the ledger can hold' },
  depositConflict: { status: 409, error: 'deposit conflict' },
  otherVault: { status: 409, error: 'deposit of another vault' },
  unknownDeposit: { status: 404, error: 'unknown deposit' },
  depositNotHeld: { status: 409, error: 'deposit is not held in doubt' },
  heldAlready: { status: 409, error: 'deposit is held already' },
  depositOfHouse: { status: 409, error: 'deposit is capital of the house' },
  withdrawalsFrozen: { status: 403, error: 'withdrawals are frozen by the operator' },
  unknownAccount: { status: 404, error: 'unknown account' },
  payoutVoided: { status: 409, error: 'payout was voided' },
  payoutNotRequested: { status: 409, error: 'payout is no longer requested' },
  payoutKnown: { status: 409, error: 'payout is known with other terms' },
  payoutOfThisEpoch: { status: 409, error: 'payout of the present epoch — raise the epoch first' },
  depositsMissing: {
    status: 409,
    error: 'deposits are missing for this payout — let the watcher credit them first',
  },
  notNextEpoch: { status: 409, error: 'not the next epoch' },
  pastDiffers: {
    status: 409,
    error: 'paid and deposited before must be nothing, or all that the ledger has recorded',
  },
  funderTrades: { status: 409, error: 'funder has an account in use' },
  tooManyApprovals: { status: 409, error: 'too many approvals of this payout' },
  nothingHeld: { status: 400, error: 'nothing held for this address' },
  committedElsewhere: { status: 400, error: 'payout committed in another transaction' },

  // Hand settlement
  settlesNoSeries: { status: 400, error: 'no such series or expiry' },
  seriesSettled: { status: 400, error: REJECT.seriesSettled },
  notPendingReview: { status: 400, error: 'not pending review' },
  noOraclePrint: { status: 400, error: 'no oracle print to anchor on' },
  priceOutOfBound: { status: 400, error: 'price outside the bound of the last oracle print' },
  payoutTooLarge: { status: 400, error: 'payout past what the ledger can hold' },
  priceDiffers: { status: 400, error: 'price differs from the one decided for this expiry' },
  bothSecrets: { status: 400, error: 'one secret only — two people settle, each with theirs' },
  unknownProposal: { status: 404, error: 'no such proposal, or it has ended' },
  ownProposal: { status: 403, error: 'the other secret has to confirm' },
  tooManyProposals: { status: 409, error: 'too many proposals of this secret wait' },
  proposalDiffers: { status: 409, error: 'not the target and price that were proposed' },

  // Simulations
  tooManySimulations: { status: 400, error: 'too many simulations wait — retry' },

  // Statements
  historyUnavailable: { status: 500, error: 'history unavailable' },

  // Operators and the maker
  wrongCredential: { status: 403, error: 'wrong credential' },
  wrongRole: { status: 403, error: 'this operator has not the role that it takes' },
  noQuoteSession: { status: 409, error: 'no live quote session' },

  // Prices
  simulatedPrices: { status: 400, error: 'simulated prices are not taken with real money' },

  // Any route
  malformedRequest: { status: 400, error: 'malformed request' },
  malformedAfter: { status: 400, error: 'x-venue-after must be the number of a log entry' },
  notFound: { status: 404, error: 'not found' },
  unknownSeries: { status: 404, error: REJECT.unknownSeries },
  unknownOrder: { status: 404, error: BATCH_REJECT.unknownOrder },
  unknownSymbol: { status: 404, error: 'unknown symbol' },
  bodyTooLarge: { status: 413, error: 'request body too large' },
  wrongContentType: { status: 400, error: 'content-type must be application/json' },
  unsupportedEncoding: { status: 415, error: 'unsupported content encoding' },
  contentEncoded: { status: 400, error: 'content-encoding must be identity' },
  malformedJson: { status: 400, error: 'malformed JSON' },
  notYetUpgraded: { status: 409, error: 'not before every node of the venue is upgraded' },
  internal: { status: 500, error: 'internal error' },
});

/** Messages that tell something of the request or the node. */
export const GAP_MESSAGES = coded({
  pushMalformed: { status: 400, error: 'push {fault}' },
  followerReads: { status: 400, error: 'a follower only reads — send this to {node}' },
  notReady: { status: 503, error: 'not ready: {reasons}' },
});

/** The name of a message in the catalogue. */
export type ErrorName = keyof typeof MESSAGES;

/** A withdrawal above the withdrawable amount (PAY-2). */
export function insufficientWithdrawable(amounts: { needMicros: Micros; haveMicros: Micros }): PublicError {
  return filled(AMOUNT_MESSAGES.insufficientWithdrawable, needHave(amounts));
}

/** A withdrawal of less than the smallest payout (CUS-6). */
export function belowSmallestPayout({ leastMicros }: { leastMicros: Micros }): PublicError {
  return filled(AMOUNT_MESSAGES.belowSmallestPayout, { need: formatCents(leastMicros) });
}

/** A follower appends nothing; `nodeUrl` is the address of the nodes, where the operator has told it (FOL-1). */
export function followerRefusal(nodeUrl: string | null): PublicError {
  return filled(GAP_MESSAGES.followerReads, { node: nodeUrl ?? 'a node of the venue' });
}
