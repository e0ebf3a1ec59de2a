/** Deposits and withdrawals (`deposits` mode), and hand settlement. */

import { type Static, Type } from 'typebox';
import { AccountSchema } from './account.ts';
import { SignedFields } from './orders.ts';
import {
  AddressText,
  count,
  nullable,
  price,
  SeriesIdText,
  SymbolText,
  TxHashText,
  text,
  unixMs,
  unixSeconds,
  usd,
} from './primitives.ts';

/** Body of `POST /v1/withdraw` (SIG-3). It names no destination: payouts always go to the account's own wallet. */
export const WithdrawRequestSchema = Type.Object({
  amountUsd: usd('Amount, exact to a millionth'),
  ...SignedFields,
});
export type WithdrawRequest = Static<typeof WithdrawRequestSchema>;

export const PayoutSchema = Type.Object({
  id: Type.Integer({ description: 'Withdrawal id' }),
  amountUsd: usd('Amount'),
  state: Type.Union([Type.Literal('requested'), Type.Literal('committed'), Type.Literal('voided')], {
    description: 'An operator voids a payout that cannot be made, and the cash comes back',
  }),
  address: AddressText,
  requestedAt: unixMs('Time of the request'),
  txHash: Type.Optional(TxHashText),
});
/** Answer of `GET /v1/withdraw/{id}`. The transaction is the one that committed the payout on chain. */
export type Payout = Static<typeof PayoutSchema>;

/** Answer of `POST /v1/withdraw`. */
export const WithdrawAnswerSchema = Type.Object({
  ...PayoutSchema.properties,
  state: Type.Literal('requested'),
  account: AccountSchema,
});
export type WithdrawAnswer = Static<typeof WithdrawAnswerSchema>;

/** Answer of `GET /v1/withdrawals`. */
export const WithdrawalListSchema = Type.Object({
  withdrawals: Type.Array(PayoutSchema, { maxItems: 500, description: 'Newest first' }),
});
export type WithdrawalList = Static<typeof WithdrawalListSchema>;

/** Answer of `GET /v1/reserves`. */
export const ReservesSchema = Type.Object({
  cashTotalUsd: usd('Sum of positive cash over accounts, held deposits included'),
  pendingWithdrawalsUsd: usd('Withdrawals requested and not yet committed'),
  committedWithdrawalsUsd: usd('Withdrawals ever committed on chain, as far as the venue knows'),
  uncollectibleUsd: usd('Sum of negative cash over accounts, as a positive amount; not headroom'),
  negativeAccounts: count('Accounts with negative cash'),
  nonExemptAccounts: count('Accounts that count, house, fee and maker accounts aside'),
  chainId: nullable(
    Type.Integer({ description: 'Chain of the vault; null while the ledger is not bound to one' }),
  ),
  vault: nullable(AddressText),
  paidBeforeUsd: usd('What earlier vaults committed, part of `committedWithdrawalsUsd`'),
  depositedBeforeUsd: usd('Deposits of earlier vaults'),
  depositedUsd: usd('Deposits credited from this vault'),
  epoch: count('How often the ledger was restored from an old copy'),
  payoutsHalted: nullable(text('Why no payout can be made at present')),
  smallestPayoutUsd: usd('The smallest withdrawal, unless it is all that the account has'),
  openLiabilityUsd: usd('What house and maker owe on open positions at intrinsic value'),
  houseCashUsd: usd('Cash of house, fees and maker, below zero if they owe'),
});
export type Reserves = Static<typeof ReservesSchema>;

const microsField = (meaning: string) =>
  Type.Integer({ description: `${meaning}, in millionths of a dollar` });

/** Body of `POST /v1/deposit`: one event of the vault (DEP-1). */
export const DepositRequestSchema = Type.Object({
  address: AddressText,
  amount: Type.Integer({ minimum: 1, description: 'Amount, in millionths of a dollar' }),
  txHash: TxHashText,
  logIndex: count('Index of the log in its block'),
  blockNumber: count('Number of the block'),
  blockHash: TxHashText,
  chainId: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Chain; required once the ledger is bound' }),
  ),
  vault: Type.Optional(AddressText),
});
export type DepositRequest = Static<typeof DepositRequestSchema>;

export const DepositAnswerSchema = Type.Object({
  status: Type.Union([Type.Literal('credited'), Type.Literal('duplicate'), Type.Literal('held')]),
  address: AddressText,
  amount: microsField('Amount'),
  txHash: TxHashText,
  logIndex: count('Index of the log in its block'),
});
export type DepositAnswer = Static<typeof DepositAnswerSchema>;

/** Deposits held for an address that has never signed in (DEP-2). */
export const HeldSchema = Type.Object({
  address: AddressText,
  amountUsd: usd('Amount owed'),
  deposits: count('Number of deposits'),
});
export type Held = Static<typeof HeldSchema>;

/** Answer of `GET /v1/operator/held`. */
export const HeldListSchema = Type.Object({ held: Type.Array(HeldSchema) });
export type HeldList = Static<typeof HeldListSchema>;

/** Body of `POST /v1/operator/held/release`. */
export const HeldReleaseRequestSchema = Type.Object({ address: AddressText });
export type HeldReleaseRequest = Static<typeof HeldReleaseRequestSchema>;

export const HeldReleaseAnswerSchema = Type.Object({
  ok: Type.Literal(true),
  released: usd('Amount released'),
  account: AccountSchema,
});
export type HeldReleaseAnswer = Static<typeof HeldReleaseAnswerSchema>;

/** Body of `POST /v1/operator/payouts/commit`; repeating it changes nothing (PAY-3). */
export const PayoutCommitRequestSchema = Type.Object({
  ids: Type.Array(Type.Integer(), { minItems: 1 }),
  txHash: TxHashText,
});
export type PayoutCommitRequest = Static<typeof PayoutCommitRequestSchema>;

export const PayoutCommitAnswerSchema = Type.Object({
  ok: Type.Literal(true),
  payouts: Type.Array(PayoutSchema, { description: 'The named payouts as they now are' }),
});
export type PayoutCommitAnswer = Static<typeof PayoutCommitAnswerSchema>;

const HandSettlePrice = { price: price('Settlement price of the underlying') };

/** Settles one series. */
export const HandSettleSeriesSchema = Type.Object({ seriesId: SeriesIdText, ...HandSettlePrice });

/** Settles every refused series of an expiry. */
export const HandSettleExpirySchema = Type.Object({
  symbol: SymbolText,
  expiryTs: unixSeconds('Expiry'),
  ...HandSettlePrice,
});

/** Body of `POST /v1/operator/settle` (FINE-1). */
export const HandSettleRequestSchema = Type.Union([HandSettleSeriesSchema, HandSettleExpirySchema]);
export type HandSettleRequest = Static<typeof HandSettleRequestSchema>;

export const HandSettleAnswerSchema = Type.Object({
  ok: Type.Literal(true),
  symbol: SymbolText,
  expiryTs: unixSeconds('Expiry'),
  price: price('Settlement price of the underlying'),
  settled: Type.Array(SeriesIdText, { description: 'Series settled by this request' }),
});
export type HandSettleAnswer = Static<typeof HandSettleAnswerSchema>;

/** Answer of `POST /v1/operator/settle/propose` (CUS-10), whose body is that of a settlement. */
export const SettleProposeAnswerSchema = Type.Object({
  ok: Type.Literal(true),
  id: Type.Integer({ minimum: 1, description: 'Names the proposal to the person who confirms it' }),
  expiresAt: unixMs('From then on nobody can confirm it'),
  symbol: SymbolText,
  expiryTs: unixSeconds('Expiry'),
  price: price('Proposed price of the underlying'),
  anchor: price('Median of the last oracle prints at the cutoff'),
  deviationBps: Type.Number({ description: 'Distance of price and anchor, in basis points' }),
  boundBps: Type.Number({ description: 'Greatest distance allowed, in basis points' }),
  settles: Type.Array(SeriesIdText, { description: 'Series that a confirmation would settle' }),
});
export type SettleProposeAnswer = Static<typeof SettleProposeAnswerSchema>;

const ProposalId = { id: Type.Integer({ minimum: 1, description: 'Number of the proposal' }) };

/** Confirms a proposal about one series, or about all of an expiry. */
export const SettleConfirmSeriesSchema = Type.Object({ ...ProposalId, ...HandSettleSeriesSchema.properties });
export const SettleConfirmExpirySchema = Type.Object({ ...ProposalId, ...HandSettleExpirySchema.properties });

/** Body of `POST /v1/operator/settle/confirm` (CUS-10). */
export const SettleConfirmRequestSchema = Type.Union([SettleConfirmSeriesSchema, SettleConfirmExpirySchema]);
export type SettleConfirmRequest = Static<typeof SettleConfirmRequestSchema>;

const SHA256 = '^[0-9a-f]{64}$';
const hashText = (meaning: string) =>
  Type.String({ pattern: SHA256, description: `${meaning}, SHA-256 in hex` });
const exactMicros = (meaning: string) =>
  nullable(
    Type.Integer({ description: `${meaning}, in millionths, exact for anyone who computes the hash` }),
  );

/**
 * One attempt at hand settlement, or anything else that operators do by hand, accepted or refused. A field is null when
 * the attempt never got that far, or is no settlement.
 */
export const AuditEntrySchema = Type.Object({
  n: Type.Integer({ minimum: 1, description: '1 for the first attempt, then without a gap' }),
  ts: unixMs('Time of the attempt'),
  seq: Type.Integer({ description: 'Place of the attempt in the log' }),
  by: Type.Optional(text('Name of the operator; absent where a settlement secret or none was shown')),
  step: Type.Optional(
    Type.Object(
      {
        act: Type.Union([Type.Literal('propose'), Type.Literal('confirm')]),
        proposal: nullable(Type.Integer({ description: 'The proposal that it made or named' })),
        secret: nullable(Type.Union([Type.Literal(1), Type.Literal(2)])),
      },
      { description: 'Present where two people settle, each with one secret' },
    ),
  ),
  seriesId: nullable(SeriesIdText),
  symbol: nullable(SymbolText),
  expiryTs: nullable(unixSeconds('Expiry')),
  price: nullable(price('Price that was named; 0 for one that no amount can be')),
  anchor: nullable(price('Median of the last oracle prints at the cutoff')),
  deviationBps: nullable(Type.Number({ description: 'Distance of price and anchor, in basis points' })),
  priceMicros: exactMicros('The price'),
  anchorMicros: exactMicros('The anchor'),
  deviationMicroBps: exactMicros('The deviation'),
  boundBps: nullable(Type.Number({ description: 'Greatest distance allowed, in basis points' })),
  gates: Type.Array(
    Type.Object({
      gate: text('What was checked'),
      passed: Type.Union([Type.Boolean(), Type.Null()], {
        description: 'Null where an earlier gate left nothing to check',
      }),
    }),
    { description: 'In the order of the checks' },
  ),
  action: Type.Optional(text('Of anything but a settlement by hand: what an operator did, such as `adopt`')),
  terms: Type.Optional(text('Its fields, as JSON, the reason that was given among them')),
  accepted: Type.Boolean(),
  reason: nullable(text('Why it was refused; null when it was accepted')),
  previousHash: hashText('Hash of the attempt before, zeros for the first'),
  hash: hashText('Hash of this attempt'),
});
export type AuditEntry = Static<typeof AuditEntrySchema>;

/** Answer of `GET /v1/operator/audit`: oldest first. */
export const AuditListSchema = Type.Object({ entries: Type.Array(AuditEntrySchema, { maxItems: 1000 }) });
export type AuditList = Static<typeof AuditListSchema>;

export const AuditQuerySchema = Type.Object({
  after: Type.Optional(
    Type.String({ pattern: '^[0-9]{1,15}$', description: 'Number of the attempt that the answer follows' }),
  ),
});
export type AuditQuery = Static<typeof AuditQuerySchema>;
