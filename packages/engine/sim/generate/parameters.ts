/** The parameters of a venue, initial and later. */

import type { Address, Micros } from '@venue/protocol';
import { FIRST_FEATURE_LEVEL } from '../../src/entry/feature-level.ts';
import type { OracleParameters, VenueParameters } from '../../src/state/parameters.ts';
import type { Random } from '../random.ts';
import type { World } from './world.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const SYMBOLS = [
  { symbol: 'BTC', assetClass: 'crypto' },
  { symbol: 'AAPL', assetClass: 'equity' },
] as const;

const dollars = (amount: number) => (amount * 1_000_000) as Micros;
const HOUSE_LINES = [dollars(2_000), dollars(100_000), dollars(10_000_000)];
/** The least covers a few levels of quote sets, whatever they are worth. */
const PAPER_CASH = [dollars(0), dollars(0.05), dollars(300), dollars(10_000), dollars(100_000)];

/** A venue without custody is sometimes in deposits mode, though nobody has any money there. */
export function parametersFor(random: Random, hasCustody: boolean): VenueParameters {
  const parameters: VenueParameters = {
    version: FIRST_FEATURE_LEVEL,
    fundingMode: random.chance(0.02) ? 'deposits' : 'paper',
    marginPremium: random.pick(['mark', 'intrinsic']),
    symbols: SYMBOLS,
    paperCashMicros: random.pick(PAPER_CASH.slice(2)),
    houseLineMicros: random.pick(HOUSE_LINES),
    strikesPerSide: random.between(1, 2),
    maintenanceMs: 5_000,
    quoteTtlMs: 30_000,
    noncesPerKeyMax: random.pick([3, 16_384]),
    sourceStaleMs: 60_000,
    oracle: oracleFor(random),
    ...{ payoutMinMicros: dollars(0), houseLineFunded: false },
    ...{ riskMark: 'book', markMakers: [], impactMicros: dollars(1_000), setLevelsMax: 250_000 },
    ...{ paperMakerCashMicros: dollars(100_000), jumpStopBps: 0 },
  };
  return hasCustody ? { ...parameters, ...custodyParameters(random) } : parameters;
}

/** Some are in paper mode, where custody refuses everything. Every write is signed, so keys need room for nonces. */
function custodyParameters(random: Random): Partial<VenueParameters> {
  return {
    fundingMode: random.chance(0.1) ? 'paper' : 'deposits',
    marginPremium: 'intrinsic',
    noncesPerKeyMax: random.pick([8, 16_384, 16_384]),
  };
}

function ofPayouts(random: Random): Partial<VenueParameters> {
  return {
    payoutMinMicros: random.pick([dollars(0), dollars(1)]),
    houseLineFunded: random.chance(0.5),
  };
}

/** Sometimes proposes to change what never changes on one log: funding mode and margin premium (FINE-4). */
export function reconfigured({ random, parameters, hasCustody }: World): VenueParameters {
  if (random.chance(0.2)) return parameters;
  if (random.chance(0.1)) return { ...parameters, ...otherMode(parameters, hasCustody) };
  const { symbols } = parameters;
  return {
    ...parameters,
    houseLineMicros: random.pick(HOUSE_LINES),
    paperCashMicros: random.pick(PAPER_CASH),
    strikesPerSide: random.between(1, 2),
    noncesPerKeyMax: random.pick(hasCustody ? [8, 16_384, 16_384] : [3, 16_384]),
    oracle: oracleFor(random),
    symbols: random.chance(0.2) ? symbols.slice(0, 1) : SYMBOLS,
    ...(hasCustody && ofPayouts(random)),
  };
}

/** Where marks come from (RSK-1). */
export function markParameters(random: Random, traders: readonly Address[]): Partial<VenueParameters> {
  return {
    riskMark: random.pick(['book', 'model', 'model']),
    markMakers: traders.filter(() => random.chance(0.2)),
    impactMicros: random.pick([dollars(0), dollars(10), dollars(1_000), dollars(1_000_000)]),
    paperMakerCashMicros: random.pick([dollars(500), dollars(1_000_000)]),
    setLevelsMax: random.pick([3, 12, 40, 250_000, 250_000, 250_000]),
  };
}

function otherMode({ fundingMode }: VenueParameters, hasCustody: boolean): Partial<VenueParameters> {
  if (hasCustody && fundingMode === 'deposits') return { fundingMode: 'paper', marginPremium: 'mark' };
  return { fundingMode: 'deposits', marginPremium: 'intrinsic' };
}

/** As in production, or with one limit changed; a bound above its ceiling counts as the ceiling. */
function oracleFor(random: Random): OracleParameters {
  const usual = { minSources: 2, staleMs: MINUTE_MS, dispersionBps: 100, handBps: 100 };
  if (random.chance(0.5)) return usual;
  return {
    minSources: random.between(1, 3),
    staleMs: random.pick([0, 1_000, MINUTE_MS, MINUTE_MS, HOUR_MS]),
    dispersionBps: random.pick([0, 100, 100, 1_000, 10_000]),
    handBps: random.pick([0, 100, 1_000, 5_000]),
  };
}
