/** `venue simulate`: what trades and a move of the market would make of the account. */

import type { Account, PnlCurve, Simulation } from '@venue/protocol';
import { usageError } from '../../base/command-error.ts';
import { type CommonOptions, signedIn } from '../../connection/connection.ts';
import { decimalText, ROUGH_USD } from '../../terminal/numbers.ts';
import { show } from '../../terminal/output.ts';
import { gainStyle } from '../../terminal/style.ts';
import { type Column, type Page, pairs, table } from '../../terminal/table.ts';
import { expiryDay } from '../../terminal/times.ts';
import { imaginedLegOf } from './combo-legs.ts';

export interface SimulateOptions extends CommonOptions {
  readonly spotShift?: string;
  readonly volShift?: string;
}

/** The unit of a shift, and the limits that the venue sets to it (CMB-4). */
interface Shift {
  readonly unit: string;
  readonly min: number;
  readonly max: number;
}

const SPOT_SHIFT: Shift = { unit: 'a percentage', min: -99, max: 1_000 };
const VOL_SHIFT: Shift = { unit: 'a number of points', min: -500, max: 500 };

/** People are shown one in so many of the 41 prices of a curve. */
const SHOWN_EVERY = 4;

/** Shows the account as imagined trades and an imagined move would leave it; places nothing. */
export async function runSimulateCommand(words: readonly string[], options: SimulateOptions): Promise<void> {
  const legs = words.map(imaginedLegOf);
  const shifts = {
    ...(options.spotShift !== undefined && {
      spotShift: hundredthsOf('--spot-shift', options.spotShift, SPOT_SHIFT),
    }),
    ...(options.volShift !== undefined && {
      volShift: hundredthsOf('--vol-shift', options.volShift, VOL_SHIFT),
    }),
  };
  const { account } = await signedIn(options);
  const before = await account.me();
  const simulation = await account.simulate({ legs, ...shifts });
  show(options, simulation, (page) => simulationText(before, simulation, page));
}

const PERCENT = /^[+-]?\d{1,4}(?:\.\d{1,4})?$/;
const TEN_THOUSANDTHS = 10_000;

/** A percentage or points of volatility, as a share: `-10` is -0.1. */
function hundredthsOf(option: string, text: string, { unit, min, max }: Shift): number {
  if (!PERCENT.test(text)) throw usageError(`${option} is ${unit} like 10 or -2.5, not "${text}"`);
  const value = Number(text);
  if (value < min || value > max)
    throw usageError(`${option} is ${unit} from ${min} to ${max}, not "${text}"`);
  return Math.round(value * TEN_THOUSANDTHS) / (100 * TEN_THOUSANDTHS);
}

/** The amounts of the account, each with its change, and a table for each underlying. */
export function simulationText(before: Account, { account, curves }: Simulation, page: Page): string[] {
  const rough = (value: number) => `${decimalText(value, ROUGH_USD)} USD`;
  const change = (of: (account: Account) => number) =>
    of(before) === of(account) ? rough(of(account)) : `${rough(of(before))} -> ${rough(of(account))}`;
  const call = account.marginCall ? page.paint(' MARGIN CALL', 'red') : '';
  return [
    ...pairs(
      [
        ['cash', change(({ cash }) => cash)],
        ['equity', change(({ equity }) => equity)],
        ['locked', change(({ locked }) => locked)],
        ['buying power', change(({ buyingPower }) => buyingPower)],
        ['maintenance margin', `${change(({ maintenanceMargin }) => maintenanceMargin)}${call}`],
        ['positions', countChange(before, account)],
      ],
      page,
    ),
    ...curves.flatMap((curve) => ['', ...curveText(curve, page)]),
  ];
}

function countChange(before: Account, after: Account): string {
  const [was, is] = [before.positions.length, after.positions.length];
  return was === is ? String(is) : `${was} -> ${is}`;
}

/** Profit and loss by the price of one underlying. */
function curveText({ symbol, prices, now, expiries }: PnlCurve, page: Page): string[] {
  const rows = prices.map((_, i) => i).filter((i) => i % SHOWN_EVERY === 0);
  const gain = (values: readonly number[]) => ({
    cell: (i: number) => values[i]!,
    places: ROUGH_USD,
    style: (i: number) => gainStyle(values[i]!),
  });
  const columns: Column<number>[] = [
    { title: `${symbol} USD`, cell: (i) => prices[i]!, places: [0, 2], rank: 0 },
    { title: 'P&L now', ...gain(now), rank: 0 },
    ...expiries.map(({ expiryTs, pnl }, place) => ({
      title: `at ${expiryDay(expiryTs)}`,
      ...gain(pnl),
      rank: place + 1,
    })),
  ];
  return table(columns, rows, page);
}
