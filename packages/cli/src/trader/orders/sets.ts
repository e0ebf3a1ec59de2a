/** `venue sets`, `protect`, `unfreeze` and `quote`: quote sets of an account as a market maker (QTS-1 to QTS-5). */

import {
  FROZEN_MS_MAX,
  type ProtectActionWire,
  QUOTE_SETS_MAX,
  type QuoteSet,
  type UnfreezeActionWire,
  WINDOW_MS_MAX,
  WINDOW_MS_MIN,
} from '@venue/protocol';
import type { Quote } from '@venue/sdk';
import { CommandError, usageError } from '../../base/command-error.ts';
import { EXIT } from '../../base/exit-codes.ts';
import { amountOf, amountOrZeroOf, countOf } from '../../connection/arguments.ts';
import { type CommonOptions, signedIn, signing } from '../../connection/connection.ts';
import { allowLiveMoney, type LiveMoneyOptions } from '../../connection/live-money.ts';
import { sendWrite, type Write } from '../../connection/unknown-outcome.ts';
import { contracts } from '../../terminal/numbers.ts';
import { show } from '../../terminal/output.ts';
import { plain } from '../../terminal/plain.ts';
import { type Column, table } from '../../terminal/table.ts';
import { utcSecond } from '../../terminal/times.ts';
import { actionText } from './action-text.ts';
import { jsonOf } from './batch-file.ts';
import { declined, whyOf } from './declined.ts';
import { durationMs, timeSpan } from './durations.ts';
import { sendActions } from './send-actions.ts';

/** Lists the sets, with what is used of each protection. */
export async function runSetsCommand(options: CommonOptions): Promise<void> {
  const client = await signedIn(options);
  const sets = await client.quotes.sets();
  show(options, sets, (page) => (sets.length === 0 ? ['no quote sets'] : table(COLUMNS, sets, page)));
}

const COLUMNS: readonly Column<QuoteSet>[] = [
  { title: 'set', cell: ({ set }) => set, places: [0, 0], rank: 0 },
  { title: 'symbol', cell: ({ symbol }) => symbol, rank: 0 },
  { title: 'state', cell: stateText, rank: 0, style: ({ frozen }) => (frozen ? 'red' : undefined) },
  { title: 'quotes', cell: ({ quotes }) => quotes, places: [0, 0], rank: 1 },
  { title: 'used', cell: ({ used }) => used, places: [0, 6], rank: 1 },
  { title: 'of', cell: ({ qty }) => qty, places: [0, 6], rank: 1 },
  { title: 'delta used', cell: ({ usedDelta }) => usedDelta, places: [0, 6], rank: 2 },
  { title: 'of delta', cell: ({ delta }) => delta, places: [0, 6], rank: 2 },
  { title: 'window', cell: ({ windowMs }) => spanText(windowMs), rank: 3 },
  { title: 'frozen for', cell: ({ frozenMs }) => frozenText(frozenMs), rank: 4 },
  { title: 'reserve USD', cell: ({ reserve }) => reserve, rank: 2 },
];

function stateText({ frozen, frozenUntil, quotes }: QuoteSet): string {
  if (frozen) return frozenUntil === null ? 'frozen' : `frozen until ${utcSecond(frozenUntil)} UTC`;
  return quotes > 0 ? 'quoting' : 'empty';
}

function frozenText(ms: number): string {
  return ms === 0 ? 'until unfrozen' : spanText(ms);
}

export interface ProtectOptions extends CommonOptions, LiveMoneyOptions {
  readonly window: string;
  readonly delta?: string;
  readonly frozen?: string;
}

/** Makes a set or changes its protection; a quantity of 0 ends it. */
export async function runProtectCommand(
  [set, symbol, qty]: readonly [set: string, symbol: string, qty: string],
  options: ProtectOptions,
): Promise<void> {
  const { window, delta, frozen } = options;
  const action: ProtectActionWire = {
    type: 'protect',
    set: countOf('SET', set, QUOTE_SETS_MAX),
    symbol: symbol.toUpperCase(),
    windowMs: spanOf('--window', window, WINDOW_MS_MIN, WINDOW_MS_MAX),
    qty: amountOrZeroOf('quantity', qty),
    ...(delta !== undefined && { delta: amountOf('--delta', delta) }),
    frozenMs: frozen === undefined ? 0 : spanOf('--frozen', frozen, 0, FROZEN_MS_MAX),
  };
  await change(action, options, action.qty === 0 ? 'ended' : 'protected, and its allowance is whole');
}

/** Lets a frozen set quote again. */
export async function runUnfreezeCommand(
  set: string,
  options: CommonOptions & LiveMoneyOptions,
): Promise<void> {
  const action: UnfreezeActionWire = { type: 'unfreeze', set: countOf('SET', set, QUOTE_SETS_MAX) };
  await change(action, options, 'not frozen, and its allowance is whole');
}

async function change(
  action: ProtectActionWire | UnfreezeActionWire,
  options: CommonOptions & LiveMoneyOptions,
  state: string,
): Promise<void> {
  const trader = signing(options);
  // The end of a set only takes risk away.
  if (action.type === 'unfreeze' || action.qty > 0)
    await allowLiveMoney(trader.client, options, {
      question: 'Let the set trade that',
      cost: async () => [actionText(action)],
    });
  await sendActions(trader, 'the set was changed', [action], ({ results: [result] }) => {
    if (result === undefined || !('ok' in result) || !result.ok) throw declined(whyOf(result));
    show(options, result, () => [`set ${action.set} is ${state}`]);
  });
}

const PUSH: Write = {
  what: 'the quotes were pushed',
  answerField: 'applied',
  traces: () => ['"venue sets" shows how many quotes stand; a newer push replaces them'],
};

/** Pushes the rows of a file. If the venue declines any of them, the command exits with 1. */
export async function runQuoteCommand(
  set: string,
  file: string,
  options: CommonOptions & LiveMoneyOptions,
): Promise<void> {
  const number = countOf('SET', set, QUOTE_SETS_MAX);
  const rows = rowsIn(await jsonOf(file), file);
  const trader = signing(options);
  const cost = async () => [
    `ladders in ${rows.length} series, by set ${number}; "venue sets" shows its limits`,
  ];
  await allowLiveMoney(trader.client, options, { question: 'Quote these', cost });
  const push = () => trader.client.quotes.push(number, rows);
  await sendWrite(trader, PUSH, push, (answer) => {
    const { applied, kept, errors, rowErrors } = answer;
    show(options, answer, () => [
      `${applied} changed, ${kept} stood already, ${errors} declined`,
      ...rowErrors.map(({ i, error }) => `row ${i + 1}: ${rows[i]?.seriesId ?? ''} ${plain(error)}`),
    ]);
    if (errors > 0)
      throw new CommandError(
        `${errors} of ${rows.length} row${rows.length === 1 ? '' : 's'} declined; the others were carried out`,
        EXIT.refused,
        'rejected',
      );
  });
}

/** Rows as they are, or an object that has them as `quotes`, as the body of the request would. */
function rowsIn(value: unknown, file: string): readonly Quote[] {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const rows = isObject && 'quotes' in value ? value.quotes : value;
  if (Array.isArray(rows) && rows.every(isNamed)) return rows;
  const name = file === '-' ? 'standard input' : file;
  throw usageError(`${name} is no list of rows like {"seriesId", "bids", "asks"}; nothing was sent`);
}

function isNamed(row: unknown): row is Quote {
  return typeof row === 'object' && row !== null && 'seriesId' in row && typeof row.seriesId === 'string';
}

const MILLISECONDS = /^(\d{1,9})ms$/;

/** A length of time like `5s` or `500ms`, within bounds. */
function spanOf(option: string, text: string, minMs: number, maxMs: number): number {
  const [, plainMs] = MILLISECONDS.exec(text) ?? [];
  const ms = plainMs === undefined ? durationMs(text) : Number(plainMs);
  if (ms === null || ms < minMs || ms > maxMs)
    throw usageError(
      `${option} is a length of time from ${spanText(minMs)} to ${spanText(maxMs)}, not "${text}"`,
    );
  return ms;
}

function spanText(ms: number): string {
  return ms % 1_000 === 0 ? timeSpan(ms) : `${contracts(ms)}ms`;
}
