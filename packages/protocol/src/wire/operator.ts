/** Exposure of accounts and expiries, which operators alone read (OPS-1). */

import { type Static, Type } from 'typebox';
import {
  AddressText,
  contracts,
  count,
  nullable,
  price,
  SeriesIdText,
  SymbolText,
  text,
  unixMs,
  unixSeconds,
  usd,
} from './primitives.ts';

/** The most rows in each list of accounts. */
export const EXPOSED_MAX = 100;

export const ExposedAccountSchema = Type.Object({
  address: AddressText,
  equity: usd('Cash and the value of its positions at their marks'),
  requirement: usd('What its shorts, resting orders and quote sets lock'),
  maintenance: usd('What its equity must not fall below'),
  exposure: usd('Contracts held, long or short, each at the spot of its underlying'),
  calledSince: nullable(
    unixMs(
      'The time in the log of the tick that found it in margin call, while every tick since has; null before the first, and for an account that is in none',
    ),
  ),
  positions: count('Series in which it holds contracts'),
  quoteSets: count('Quote sets'),
});
export type ExposedAccount = Static<typeof ExposedAccountSchema>;

export const ExposedExpirySchema = Type.Object({
  symbol: SymbolText,
  expiryTs: unixSeconds('Expiry'),
  isPendingReview: Type.Boolean({ description: 'Its settlement waits for two people' }),
  openInterest: contracts('Open interest'),
  grossNotional: usd('Open interest at the spot'),
  netNotional: usd('What maker and house hold net, at the spot; negative if they are short'),
  makerShare: Type.Number({ description: 'Part of the open interest that the maker holds, from 0 to 1' }),
  houseShare: Type.Number({
    description: 'Part that the house holds, which takes over what liquidation cannot sell, from 0 to 1',
  }),
  worst: Type.Object(
    {
      amount: usd('What maker and house together get at settlement; negative if they pay'),
      at: price('Settlement price at which it is least'),
    },
    { description: 'The least of all prices up to twice the spot or the highest strike they hold' },
  ),
  uncoveredCalls: contracts('Calls short less calls long: what each further dollar costs; 0 if covered'),
});
export type ExposedExpiry = Static<typeof ExposedExpirySchema>;

/** A symbol whose jump stops liquidation (RSK-5). */
export const JumpStopSchema = Type.Object({
  symbol: SymbolText,
  spot: price('Spot'),
  median: price('Median of its last 60 s, which the spot is too far from'),
  since: unixMs('The tick that found it so first'),
  until: unixMs('When accounts that hold contracts on it are liquidated again, whatever the spot is'),
});
export type JumpStop = Static<typeof JumpStopSchema>;

/** One person's half of a settlement, without its price: the second person has that from sources of their own (CUS-10). */
export const OpenProposalSchema = Type.Object({
  id: count('Number of the proposal'),
  secret: Type.Union([Type.Literal(1), Type.Literal(2)], {
    description: 'The settlement secret that proposed it; 1 for an operator with a name',
  }),
  by: Type.Optional(text('Name of the operator who proposed it; another one confirms it')),
  seriesId: nullable(SeriesIdText),
  symbol: nullable(SymbolText),
  expiryTs: nullable(unixSeconds('Expiry')),
  ts: unixMs('Time of the proposal'),
  expiresAt: unixMs('When it lapses'),
});
export type OpenProposal = Static<typeof OpenProposalSchema>;

/** Answer of `GET /v1/operator/exposure`: at most a second old, and of several entries where accounts are many. */
export const ExposureReportSchema = Type.Object({
  ts: unixMs('When it was computed'),
  calledCount: count('Accounts in margin call'),
  called: Type.Array(ExposedAccountSchema, {
    maxItems: EXPOSED_MAX,
    description: 'Accounts in margin call, the greatest shortfall first',
  }),
  heldCount: count('Accounts that hold contracts'),
  largest: Type.Array(ExposedAccountSchema, {
    maxItems: EXPOSED_MAX,
    description: 'Accounts that hold contracts, the greatest exposure first',
  }),
  expiries: Type.Array(ExposedExpirySchema, {
    description: 'Expiries with open interest, by underlying and time',
  }),
  stops: Type.Array(JumpStopSchema, { description: 'Symbols whose jump stops liquidation' }),
  proposals: Type.Array(OpenProposalSchema, { description: 'Settlements that wait for a second person' }),
});
export type ExposureReport = Static<typeof ExposureReportSchema>;
