/** `venue buy|sell|preview|cancel|margin`: writes that affect an account's orders. */

import { type Account, REJECT } from '@venue/protocol';
import type { OrderTerms } from '@venue/sdk';
import { CommandError, usageError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import { pageOf, show } from '../terminal/output.ts';
import { plain } from '../terminal/plain.ts';
import { amountOf, countOf, seriesOf } from './arguments.ts';
import { type CommonOptions, type Signing, signedIn, signIn, signing } from './connection.ts';
import { allowLiveMoney, type LiveMoneyOptions } from './live-money.ts';
import { answerText, previewText } from './order-text.ts';
import { cancelTraces, marginTraces, orderTraces, sendOnce, type Write } from './unknown-outcome.ts';

export interface OrderOptions extends CommonOptions, LiveMoneyOptions {
  readonly limit?: string;
  readonly market?: true;
}

export interface OrderWords {
  readonly side: 'buy' | 'sell';
  readonly series: string;
  readonly qty: string;
}

/** Places an order. If the venue declines it, the command exits with 1 and the venue's reason. */
export async function runOrderCommand(words: OrderWords, options: OrderOptions): Promise<void> {
  const terms = termsOf(words, options);
  const trader = signing(options);
  const { client } = trader;
  await allowLiveMoney(client, options, {
    question: 'Place this order',
    cost: () => costOf(trader, terms),
  });
  const traces = orderTraces(terms, trader.session);
  const write = { what: 'the order was placed', answerField: 'status', traces };
  const send = () => client.orders.place(terms);
  await sendOnce(trader, write, send, (answer) => {
    if (options.json || answer.status !== 'rejected')
      show(options, answer, (page) => answerText(terms, answer, page));
    if (answer.status === 'rejected') throw declined(answer.reason);
  });
}

/** Shows the cost of an order; places nothing. If it would be declined, the command exits with 1. */
export async function runPreviewCommand(words: OrderWords, options: OrderOptions): Promise<void> {
  const terms = termsOf(words, options);
  const client = await signedIn(options);
  const preview = await client.orders.preview(terms);
  show(options, preview, (page) => previewText(terms, preview, page));
  if (preview.status === 'rejected') throw declined(preview.reason);
}

async function costOf(trader: Signing, terms: OrderTerms): Promise<string[]> {
  await signIn(trader, trader.session);
  const preview = await trader.client.orders.preview(terms);
  // An order that would be declined needs no question.
  if (preview.status === 'rejected') throw new CommandError(`${rejection(preview.reason)}; nothing was sent`);
  return previewText(terms, preview, pageOf(process.stderr));
}

function termsOf({ side, series, qty }: OrderWords, { limit, market }: OrderOptions): OrderTerms {
  if ((limit === undefined) === (market === undefined))
    throw usageError('an order has either --limit PRICE or --market');
  const price = limit === undefined ? {} : { price: amountOf('--limit', limit) };
  return { seriesId: seriesOf(series), side, qty: amountOf('the quantity', qty), ...price };
}

const REMEDIES: ReadonlyMap<string, string> = new Map([
  [REJECT.unknownSeries, '"venue series SYMBOL" lists what is there'],
  [REJECT.marginOff, '"venue margin on" turns it on'],
  [REJECT.noLiquidity, '"venue book SERIES" shows what rests; --limit waits for it'],
  [REJECT.seriesExpired, '"venue series SYMBOL" lists what is live'],
]);

function declined(reason?: string): CommandError {
  return new CommandError(rejection(reason), EXIT.refused, 'rejected');
}

function rejection(reason = 'no reason was given'): string {
  const remedy = REMEDIES.get(reason);
  return `rejected: ${plain(reason)}${remedy === undefined ? '' : ` (${remedy})`}`;
}

export interface CancelOptions extends CommonOptions {
  readonly symbol?: readonly string[];
  readonly all?: true;
}

/** Cancels one order, those of some symbols, or all. If there is none, the command exits with a code of its own. */
export async function runCancelCommand(id: string | undefined, options: CancelOptions): Promise<void> {
  const ways = [id, options.symbol, options.all].filter((way) => way !== undefined);
  if (ways.length !== 1)
    throw usageError('cancel takes an order ID, --symbol SYMBOL or --all, and one of them');
  if (id !== undefined) await cancelOne(countOf('the order ID', id, Number.MAX_SAFE_INTEGER), options);
  else
    await cancelMany(
      options.symbol?.map((symbol) => symbol.toUpperCase()),
      options,
    );
}

async function cancelOne(orderId: number, options: CancelOptions): Promise<void> {
  const trader = signing(options);
  const traces = cancelTraces(({ id }) => id === orderId);
  const write = { what: 'the order was cancelled', answerField: 'ok', traces };
  const send = () => trader.client.orders.cancelOrder(orderId);
  await sendOnce(trader, write, send, (answer) => {
    show(options, answer, () => (answer.ok ? [`order ${orderId} is cancelled`] : []));
    if (!answer.ok) throw nothingToCancel(`order ${orderId} does not rest`);
  });
}

async function cancelMany(symbols: readonly string[] | undefined, options: CancelOptions): Promise<void> {
  const trader = signing(options);
  const isMeant = ({ symbol }: Account['openOrders'][number]) => symbols?.includes(symbol) ?? true;
  const write = {
    what: 'the orders were cancelled',
    answerField: 'pulled',
    traces: cancelTraces(isMeant),
  };
  const send = () => trader.client.orders.cancel(symbols);
  await sendOnce(trader, write, send, (answer) => {
    const { pulled } = answer;
    show(options, answer, () =>
      pulled === 0 ? [] : [`${pulled} order${pulled === 1 ? ' is' : 's are'} cancelled`],
    );
    if (pulled === 0) throw nothingToCancel('no order rests there');
  });
}

function nothingToCancel(why: string): CommandError {
  return new CommandError(`${why}: nothing to cancel`, EXIT.nothing);
}

/** Turns margin on or off (ACC-3). */
export async function runMarginCommand(
  word: string,
  options: CommonOptions & LiveMoneyOptions,
): Promise<void> {
  const enabled = word === 'on';
  const trader = signing(options);
  await allowLiveMoney(trader.client, options, {
    question: `Turn margin ${word}`,
    cost: async () =>
      enabled
        ? ['With margin on, options can be sold short, and a short can lose more than it brought in.']
        : [],
  });
  const what = `margin was turned ${word}`;
  const write: Write = { what, answerField: 'marginEnabled', traces: marginTraces };
  const send = () => trader.client.orders.setMargin(enabled);
  await sendOnce(trader, write, send, (answer) =>
    show(options, answer, () => [`margin is ${answer.marginEnabled ? 'on' : 'off'}`]),
  );
}
