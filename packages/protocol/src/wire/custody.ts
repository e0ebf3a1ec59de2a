/** Money that enters and leaves (`deposits` mode), and hand settlement. */

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

/** Body of `POST /v1/withdraw` (SIG-3). It names no destination: the account's own wallet is paid. */
export const WithdrawRequestSchema = Type.Object({
  amountUsd: usd('Amount, exact to a millionth'),
  ...SignedFields,
});
export type WithdrawRequest = Static<typeof WithdrawRequestSchema>;

export const PayoutSchema = Type.Object({
  id: Type.Integer({ description: 'Withdrawal id' }),
  amountUsd: usd('Amount'),
  state: Type.Union([Type.Literal('requested'), Type.Literal('committed')]),
  address: AddressText,
});
/** Answer of `GET /v1/withdraw/{id}`. */
export type Payout = Static<typeof PayoutSchema>;

/** Answer of `POST /v1/withdraw`. */
export const WithdrawAnswerSchema = Type.Object({
  ...PayoutSchema.properties,
  state: Type.Literal('requested'),
  account: AccountSchema,
});
export type WithdrawAnswer = Static<typeof WithdrawAnswerSchema>;

/** Answer of `GET /v1/withdrawals`. */
export const WithdrawalListSchema = Type.Object({ withdrawals: Type.Array(PayoutSchema) });
export type WithdrawalList = Static<typeof WithdrawalListSchema>;

/** Answer of `GET /v1/reserves`. */
export const ReservesSchema = Type.Object({
  cashTotalUsd: usd('Sum of positive cash over accounts, held deposits included'),
  pendingWithdrawalsUsd: usd('Withdrawals requested and not yet committed'),
  uncollectibleUsd: usd('Sum of negative cash over accounts, as a positive amount; not headroom'),
  negativeAccounts: count('Accounts with negative cash'),
  nonExemptAccounts: count('Accounts that count, house, fee and maker accounts aside'),
});
export type Reserves = Static<typeof ReservesSchema>;

const microsField = (meaning: string) =>
  Type.Integer({ description: `${meaning}, in millionths of a dollar` });

/** Body of `POST /v1/deposit`: one log of the vault (DEP-1). */
export const DepositRequestSchema = Type.Object({
  address: AddressText,
  amount: Type.Integer({ minimum: 1, description: 'Amount, in millionths of a dollar' }),
  txHash: TxHashText,
  logIndex: count('Index of the log in its block'),
  blockNumber: count('Number of the block'),
  blockHash: TxHashText,
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

/** Deposits owed to an address that never signed in (DEP-2). */
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

/** Answer of `GET /v1/operator/payouts`. */
export const PayoutListSchema = Type.Object({ payouts: Type.Array(PayoutSchema) });
export type PayoutList = Static<typeof PayoutListSchema>;

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

/** Body of `POST /v1/operator/settle`: one series, or every refused one of an expiry (FINE-1). */
export const HandSettleRequestSchema = Type.Union([
  Type.Object({ seriesId: SeriesIdText, price: price('Settlement price of the underlying') }),
  Type.Object({
    symbol: SymbolText,
    expiryTs: unixSeconds('Expiry'),
    price: price('Settlement price of the underlying'),
  }),
]);
export type HandSettleRequest = Static<typeof HandSettleRequestSchema>;

export const HandSettleAnswerSchema = Type.Object({
  ok: Type.Literal(true),
  symbol: SymbolText,
  expiryTs: unixSeconds('Expiry'),
  price: price('Settlement price of the underlying'),
  settled: Type.Array(SeriesIdText, { description: 'Series settled by this request' }),
});
export type HandSettleAnswer = Static<typeof HandSettleAnswerSchema>;

/** One attempt to settle by hand, accepted or refused. A field is null when the attempt never got that far. */
export const AuditEntrySchema = Type.Object({
  ts: unixMs('Time of the attempt'),
  seriesId: nullable(SeriesIdText),
  symbol: nullable(SymbolText),
  expiryTs: nullable(unixSeconds('Expiry')),
  price: nullable(price('Price that was named')),
  anchor: nullable(price('Median of the last oracle prints at the cutoff')),
  deviationBps: nullable(Type.Number({ description: 'Distance of price and anchor, in basis points' })),
  boundBps: Type.Number({ description: 'Greatest distance allowed, in basis points' }),
  gates: Type.Array(Type.Object({ gate: text('What was checked'), passed: Type.Boolean() }), {
    description: 'In the order of the checks',
  }),
  accepted: Type.Boolean(),
});
export type AuditEntry = Static<typeof AuditEntrySchema>;

/** Answer of `GET /v1/operator/audit`. */
export const AuditListSchema = Type.Object({ entries: Type.Array(AuditEntrySchema) });
export type AuditList = Static<typeof AuditListSchema>;
