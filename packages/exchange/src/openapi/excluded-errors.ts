/** The errors of operations outside the public contract, in addition to those of their access and body (ERR-1). */

import type { ErrorName } from '@venue/protocol';

const SETTLEMENT: readonly ErrorName[] = [
  'settlesNoSeries',
  'seriesSettled',
  'notPendingReview',
  'badPrice',
  'noOraclePrint',
  'priceOutOfBound',
  'priceDiffers',
  'payoutTooLarge',
];

/** By method and path. */
export const EXCLUDED_ERRORS: ReadonlyMap<string, readonly ErrorName[]> = new Map<
  string,
  readonly ErrorName[]
>([
  ['GET /ws', ['unknownToken']],
  [
    'GET /v1/stream',
    [
      'unknownChannel',
      'channelEnded',
      'channelsRepeat',
      'tooManyChannels',
      'fillsNotKept',
      'otherAccount',
      'unknownToken',
      'malformedJson',
    ],
  ],
  ['POST /v1/feed/prints', ['simulatedPrices']],
  ['POST /v1/maker/quotes', ['noQuoteSession']],
  ['POST /v1/maker/pull', ['noQuoteSession']],
  ['POST /v1/operator/settle', SETTLEMENT],
  ['POST /v1/operator/settle/propose', [...SETTLEMENT, 'bothSecrets', 'tooManyProposals']],
  [
    'POST /v1/operator/settle/confirm',
    [...SETTLEMENT, 'bothSecrets', 'unknownProposal', 'ownProposal', 'proposalDiffers'],
  ],
  ['POST /v1/deposit', ['depositConflict', 'otherVault', 'depositTooLarge']],
  ['POST /v1/operator/held/release', ['nothingHeld']],
  ['POST /v1/operator/payouts/commit', ['unknownWithdrawal', 'payoutVoided', 'committedElsewhere']],
  ['POST /v1/operator/vault', ['pastDiffers', 'funderTrades']],
  ['POST /v1/operator/epoch', ['notNextEpoch']],
  [
    'POST /v1/operator/payouts/adopt',
    ['payoutKnown', 'accountFrozen', 'payoutOfThisEpoch', 'depositsMissing'],
  ],
  ['POST /v1/operator/payouts/void', ['unknownWithdrawal', 'payoutNotRequested']],
  ['POST /v1/operator/payouts/approve', ['unknownWithdrawal', 'payoutNotRequested', 'tooManyApprovals']],
  ['POST /v1/operator/payouts/wait', ['unknownWithdrawal', 'payoutNotRequested']],
  ['POST /v1/operator/withdrawals/freeze', ['unknownAccount']],
  ['POST /v1/operator/deposits/hold', ['unknownDeposit', 'heldAlready', 'depositOfHouse']],
  ['POST /v1/operator/deposits/reverse', ['unknownDeposit', 'depositNotHeld']],
  ['POST /v1/operator/parked/attest', ['unknownParked', 'otherChain']],
]);
