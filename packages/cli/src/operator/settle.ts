/** `venue operator settle`, with `propose` and `confirm`: settlement by hand, by one person or by two. */

import type { HandSettleAnswer, HandSettleRequest } from '@venue/protocol';
import type { VenueClient } from '@venue/sdk';
import { usageError } from '../base/command-error.ts';
import { environment } from '../base/config.ts';
import { amountOf } from '../connection/arguments.ts';
import { type CommonOptions, publicClient } from '../connection/connection.ts';
import { allowLiveMoney, type LiveMoneyOptions } from '../connection/live-money.ts';
import { settleToken, settleTokens } from '../connection/operator-config.ts';
import { sendForOperator } from '../connection/operator-outcome.ts';
import { decimalText, EXACT_USD } from '../terminal/numbers.ts';
import { show } from '../terminal/output.ts';
import { utcSecond } from '../terminal/times.ts';
import { expiryText } from './audit-text.ts';

export interface SettleOptions extends CommonOptions, LiveMoneyOptions {
  readonly series?: string;
  readonly symbol?: string;
  readonly expiry?: number;
  readonly price?: string;
}

export interface ConfirmOptions extends SettleOptions {
  readonly id: number;
}

const OUTCOME = { what: 'it was settled', look: 'venue operator review' };
const PERMANENT =
  'This price is the price of that underlying at that expiry from then on; no settlement is ever undone.';

/** Settles by hand with both secrets, and prints the result (FINE-1). */
export async function runSettleCommand(options: SettleOptions): Promise<void> {
  const request = settleRequest(options);
  const client = publicClient(options);
  const tokens = settleTokens(environment());
  await allowLiveMoney(client, options, {
    question: 'Settle permanently',
    cost: async () => [wordsOf(request), PERMANENT],
  });
  const answer = await sendForOperator(OUTCOME, () => client.operator.settle(request, tokens));
  show(options, answer, () => settledText(answer));
}

/** Proposes a settlement with one secret, and prints what a confirmation would do (CUS-10). */
export async function runProposeCommand(options: SettleOptions): Promise<void> {
  const request = settleRequest(options);
  const client = publicClient(options);
  const token = settleToken(environment());
  await allowLiveMoney(client, options, {
    question: 'Propose this, in place of what this secret proposed before',
    cost: () => effectOf(client, request),
  });
  const what = { what: 'it was proposed', look: 'venue operator audit' };
  const answer = await sendForOperator(what, () => client.operator.propose(request, token));
  const { id, symbol, expiryTs, price, anchor, deviationBps, boundBps, settles, expiresAt } = answer;
  const other = token.which === 'own' ? 'another operator with the role settle' : 'the second operator';
  show(options, answer, () => [
    `proposal ${id}: ${expiryText(symbol, expiryTs)} at ${price}`,
    `anchor ${decimalText(anchor, EXACT_USD)} USD, deviation ${deviationBps} bps, bound ${boundBps} bps; it would settle`,
    ...settles.map((seriesId) => `  ${seriesId}`),
    `until ${utcSecond(expiresAt)} UTC ${other} may confirm it:`,
    `  venue operator settle confirm --id ${id} ${optionsOf(request)}`,
  ]);
}

/** Confirms what the other secret proposed, and prints what was settled (CUS-10). */
export async function runConfirmCommand(options: ConfirmOptions): Promise<void> {
  const request = settleRequest(options);
  const client = publicClient(options);
  const token = settleToken(environment());
  await allowLiveMoney(client, options, {
    question: `Confirm proposal ${options.id} and settle permanently`,
    cost: () => effectOf(client, request),
  });
  const answer = await sendForOperator(OUTCOME, () =>
    client.operator.confirm({ id: options.id, ...request }, token),
  );
  show(options, answer, () => settledText(answer));
}

function settleRequest({ series, symbol, expiry, price: text }: SettleOptions): HandSettleRequest {
  if (text === undefined) throw usageError('settle needs --price');
  const price = amountOf('--price', text);
  if (series !== undefined && symbol === undefined && expiry === undefined)
    return { seriesId: series, price };
  if (series === undefined && symbol !== undefined && expiry !== undefined) {
    return { symbol, expiryTs: expiry, price };
  }
  throw usageError('settle takes either --series or --symbol with --expiry');
}

/** The effect of the request by now, for a person who is asked to confirm it. */
async function effectOf(client: VenueClient, request: HandSettleRequest): Promise<string[]> {
  const { pendingReview } = await client.market.meta();
  const [symbol = '', expiryTs = ''] =
    'seriesId' in request
      ? request.seriesId.split('-')
      : [request.symbol.toUpperCase(), `${request.expiryTs}`];
  const waiting = pendingReview.filter((seriesId) =>
    'seriesId' in request ? seriesId === request.seriesId : seriesId.startsWith(`${symbol}-${expiryTs}-`),
  );
  return [wordsOf(request), `series that wait for it: ${waiting.join(', ') || 'none'}`, PERMANENT];
}

function wordsOf(request: HandSettleRequest): string {
  const target = 'seriesId' in request ? request.seriesId : expiryText(request.symbol, request.expiryTs);
  return `${target} at ${request.price} USD`;
}

function optionsOf(request: HandSettleRequest): string {
  const target =
    'seriesId' in request
      ? `--series ${request.seriesId}`
      : `--symbol ${request.symbol} --expiry ${request.expiryTs}`;
  return `${target} --price ${request.price}`;
}

function settledText({ symbol, expiryTs, price, settled }: HandSettleAnswer): string[] {
  return [
    `settled ${expiryText(symbol, expiryTs)} at ${price}`,
    ...settled.map((seriesId) => `  ${seriesId}`),
  ];
}
