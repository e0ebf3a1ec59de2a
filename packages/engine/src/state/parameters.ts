/** The parameters in force; they are state, so that replay never depends on an environment (FINE-4). */

import type { Address, Micros } from '@venue/protocol';

export type AssetClass = 'crypto' | 'equity' | 'index';
export type FundingMode = 'paper' | 'deposits';
/** Where the mark of everything in an account comes from (RSK-1). */
export type RiskMark = 'book' | 'model';

export interface VenueParameters {
  /** The feature level (OWN-72). */
  readonly version: number;
  readonly fundingMode: FundingMode;
  readonly marginPremium: 'mark' | 'intrinsic';
  readonly symbols: readonly { readonly symbol: string; readonly assetClass: AssetClass }[];
  readonly paperCashMicros: Micros;
  readonly houseLineMicros: Micros;
  readonly strikesPerSide: number;
  readonly maintenanceMs: number;
  readonly quoteTtlMs: number;
  readonly noncesPerKeyMax: number;
  /** A source that last printed longer ago than this does not count for the spot (FEED-2). */
  readonly sourceStaleMs: number;
  readonly oracle: OracleParameters;
  /** The smallest withdrawal, unless it is all that the account has (CUS-6). */
  readonly payoutMinMicros: Micros;
  /** True if the house line of a bound ledger is what was funded for it (CUS-8). */
  readonly houseLineFunded: boolean;
  readonly riskMark: RiskMark;
  /** Accounts whose annotations count for the model beside those of the market maker (RSK-2). */
  readonly markMakers: readonly Address[];
  /** The premium that an impact price is the average of, if that is more than one contract (RSK-2). */
  readonly impactMicros: Micros;
  /** The most levels of all sets of accounts outside `markMakers` (QTS-2). */
  readonly setLevelsMax: number;
  /** Paper capital of an account of `markMakers` when it is opened, which margins quotes in every series. */
  readonly paperMakerCashMicros: Micros;
  /** Largest distance of a spot from its median that stops no liquidation; 0 if none stops any. */
  readonly jumpStopBps: number;
}

/** When the oracle refuses, and how far a hand settlement may be from its anchor. */
export interface OracleParameters {
  readonly minSources: number;
  /** A source that last printed longer than this before the cutoff is not fresh. */
  readonly staleMs: number;
  /** Maximum spread of the averages, relative to their median. */
  readonly dispersionBps: number;
  /** Maximum distance of a hand settlement from its anchor; limited by `HAND_BPS_MAX`. */
  readonly handBps: number;
}
