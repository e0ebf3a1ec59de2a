/** An account with trades that nobody made, in a market that is only imagined (CMB-4). */

import { type Static, Type } from 'typebox';
import { AccountSchema } from './account.ts';
import { MarginReportSchema } from './margin.ts';
import { contracts, price, SeriesIdText, SideText, SymbolText, unixSeconds, usd } from './primitives.ts';

/** Legs of one simulation. */
export const SIMULATED_LEGS_MAX = 64;
/** Prices of a curve; no fewer, but examples leave out most of them. */
export const CURVE_PRICES = 41;

export const SimulatedLegSchema = Type.Object({
  seriesId: SeriesIdText,
  side: SideText,
  qty: contracts('Size'),
  price: Type.Optional(price('What each contract is imagined to trade at; the mark without it')),
});
export type SimulatedLeg = Static<typeof SimulatedLegSchema>;

/** Body of `POST /v1/simulate`. */
export const SimulateRequestSchema = Type.Object({
  legs: Type.Array(SimulatedLegSchema, {
    maxItems: SIMULATED_LEGS_MAX,
    description: 'Trades in order, none for the account as it is',
  }),
  spotShift: Type.Optional(
    Type.Number({
      minimum: -0.99,
      maximum: 10,
      description: 'Share by which every spot moves: 0.1 is 10 % up',
    }),
  ),
  volShift: Type.Optional(
    Type.Number({
      minimum: -5,
      maximum: 5,
      description: 'Added to every volatility: 0.05 is five points more',
    }),
  ),
});
export type SimulateRequest = Static<typeof SimulateRequestSchema>;

const curvePoints = (meaning: string) => Type.Array(usd(meaning), { maxItems: CURVE_PRICES });

export const PnlExpirySchema = Type.Object({
  expiryTs: unixSeconds('Expiry'),
  pnl: curvePoints('Profit and loss at this expiry, by `prices`'),
});
export type PnlExpiry = Static<typeof PnlExpirySchema>;

/** Profit and loss of all positions on one underlying, by its price: since they were opened, without fees. */
export const PnlCurveSchema = Type.Object({
  symbol: SymbolText,
  prices: Type.Array(price('Underlying price'), {
    maxItems: CURVE_PRICES,
    description:
      '41 of them: the imagined spot times 0.5 to 1.5 in equal steps; the spot itself is in the middle',
  }),
  now: curvePoints('Profit and loss at once, by `prices`'),
  expiries: Type.Array(PnlExpirySchema, { description: 'Of each expiry held, ascending' }),
});
export type PnlCurve = Static<typeof PnlCurveSchema>;

/** Answer of `POST /v1/simulate`. */
export const SimulationSchema = Type.Object({
  account: AccountSchema,
  margin: MarginReportSchema,
  curves: Type.Array(PnlCurveSchema, { description: 'One for each underlying held, by symbol' }),
});
export type Simulation = Static<typeof SimulationSchema>;
