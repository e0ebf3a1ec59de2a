/** `venue buy|sell|preview|close|amend`: orders, and changes of them. */

import type { PlaceActionWire } from '@venue/protocol';
import type { ActionResult, PlaceResult, VenueClient } from '@venue/sdk';
import { CommandError, usageError } from '../../base/command-error.ts';
import { EXIT } from '../../base/exit-codes.ts';
import { amountOf, amountOrZeroOf, seriesOf } from '../../connection/arguments.ts';
import { type CommonOptions, type Signing, signedIn, signIn, signing } from '../../connection/connection.ts';
import { allowLiveMoney, type LiveMoneyOptions } from '../../connection/live-money.ts';
import { contracts } from '../../terminal/numbers.ts';
import { pageOf, show } from '../../terminal/output.ts';
import { changesText } from './action-text.ts';
import { checkTraded, declined, rejection } from './declined.ts';
import { orderText } from './order-list.ts';
import { refOf, refText } from './order-ref.ts';
import { type OrderWords, type TermOptions, type WantedOrder, wantedOrder } from './order-terms.ts';
import { type Asked, previewText, resultText, termsText } from './order-text.ts';
import { type Outcome, sendActions } from './send-actions.ts';
import { boundOf, slippageOf } from './slippage.ts';
import { SLIPPAGE_PERCENT } from './slippage-default.ts';

export interface OrderOptions extends CommonOptions, LiveMoneyOptions, TermOptions {}

/**
 * Places an order. If the venue declines it, or it leaves without a trade, the command exits with 1 and says why.
 */
export async function runOrderCommand(words: OrderWords, options: OrderOptions): Promise<void> {
  const wanted = wantedOrder(words, options);
  const trader = signing(options);
  const order = await boundedOrder(trader.client, wanted);
  await allowOrder(trader, options, order, 'Place this order');
  await sendActions(trader, 'the order was placed', [order.action], (outcome) => {
    const result = placed(outcome);
    showResult(options, asked(order), outcome);
    checkTraded(result);
  });
}

/** Shows the cost of an order; places nothing. If it would be declined, the command exits with 1. */
export async function runPreviewCommand(words: OrderWords, options: OrderOptions): Promise<void> {
  const wanted = wantedOrder(words, options);
  const client = await signedIn(options);
  const { action } = await boundedOrder(client, wanted);
  const preview = await client.orders.preview(action);
  show(options, preview, (page) => previewText(action, preview, page));
  if (preview.status === 'rejected') throw declined(preview);
}

interface BoundedOrder {
  readonly action: PlaceActionWire;
  /** For people. */
  readonly words: string;
}

async function boundedOrder(client: VenueClient, { action, slippage }: WantedOrder): Promise<BoundedOrder> {
  if (slippage === null) return { action, words: termsText(action) };
  const bound = boundOf(await client.market.book(action.seriesId), action.side, slippage);
  const bounded = { ...action, price: bound.price };
  return { action: bounded, words: `${termsText(bounded)} (${bound.words})` };
}

function allowOrder(
  trader: Signing,
  options: LiveMoneyOptions,
  { action }: BoundedOrder,
  question: string,
): Promise<void> {
  const cost = async () => {
    await signIn(trader, trader.session);
    const preview = await trader.client.orders.preview(action);
    // An order that would be declined needs no question.
    if (preview.status === 'rejected')
      throw new CommandError(`${rejection(preview)}; nothing was sent`, EXIT.refused, 'rejected');
    return previewText(action, preview, pageOf(process.stderr));
  };
  return allowLiveMoney(trader.client, options, { question, cost });
}

/** The outcome of the only action. */
function placed({ results }: Outcome): PlaceResult {
  const [result] = results as readonly [ActionResult];
  if (!('status' in result) || result.type === 'combo')
    throw new TypeError(`its result is one of a ${result.type}`);
  return result;
}

function asked({ words, action: { qty } }: BoundedOrder): Asked {
  return { words, qty };
}

function showResult(options: CommonOptions, asked: Asked, outcome: Outcome): void {
  const { account } = outcome;
  const result = placed(outcome);
  show(options, { ...result, account }, (page) =>
    result.status === 'rejected' ? [] : resultText(asked, result, account, page),
  );
}

export interface CloseOptions extends CommonOptions, LiveMoneyOptions {
  readonly slippage?: string;
}

/** Closes a position at the market. If some of it stays open, the command exits with 1. */
export async function runCloseCommand(series: string, options: CloseOptions): Promise<void> {
  const seriesId = seriesOf(series);
  const slippage = slippageOf(options.slippage ?? SLIPPAGE_PERCENT);
  const trader = signing(options);
  const qty = await heldQty(trader, seriesId);
  if (qty === 0)
    throw new CommandError(`no position in ${seriesId}: nothing to close`, EXIT.nothing, 'nothing-to-close');
  const side = qty > 0 ? 'sell' : 'buy';
  const action = { type: 'place', seriesId, side, qty: Math.abs(qty), tif: 'ioc', reduceOnly: true } as const;
  const order = await boundedOrder(trader.client, { action, slippage });
  await allowOrder(trader, options, order, 'Close this position');
  await sendActions(trader, 'the position was closed', [order.action], (outcome) => {
    showResult(options, asked(order), outcome);
    checkTraded(placed(outcome));
    checkClosed(outcome, seriesId);
  });
}

async function heldQty(trader: Signing, seriesId: string): Promise<number> {
  await signIn(trader, trader.session);
  const { positions } = await trader.client.account.me();
  return positions.find((position) => position.seriesId === seriesId)?.qty ?? 0;
}

function checkClosed({ account }: Outcome, seriesId: string): void {
  const left = account.positions.find((position) => position.seriesId === seriesId)?.qty ?? 0;
  if (left !== 0)
    throw new CommandError(
      `${contracts(Math.abs(left))} contracts of ${seriesId} are still open: "venue book ${seriesId}" shows what rests, and "venue orders" what of yours closes them`,
      EXIT.refused,
      'not-filled',
    );
}

export interface AmendOptions extends CommonOptions, LiveMoneyOptions {
  readonly qty?: string;
  readonly price?: string;
  readonly filledAtMost?: string;
}

/** Changes a resting order in place (AMD-1). A refused amend leaves it as it was, and the command exits with 1. */
export async function runAmendCommand(order: string, options: AmendOptions): Promise<void> {
  const ref = refOf(order);
  const { qty, price, filledAtMost } = options;
  if (qty === undefined && price === undefined)
    throw usageError('amend changes --qty, --price, or both; "venue cancel" takes an order back');
  const action = {
    type: 'amend',
    ...ref,
    ...(qty !== undefined && { qty: amountOf('--qty', qty) }),
    ...(price !== undefined && { price: amountOf('--price', price) }),
    ...(filledAtMost !== undefined && { filledAtMost: amountOrZeroOf('--filled-at-most', filledAtMost) }),
  } as const;
  const words = `amended to ${changesText(action)}`;
  const trader = signing(options);
  const cost = async () => {
    await signIn(trader, trader.session);
    const page = pageOf(process.stderr);
    return [...orderText(await trader.client.orders.find(ref), page), words];
  };
  await allowLiveMoney(trader.client, options, { question: `Amend order ${refText(ref)}`, cost });
  await sendActions(trader, 'the order was amended', [action], (outcome) => {
    const amended = placed(outcome);
    const { status } = amended;
    showResult(options, { words }, outcome);
    if (status === 'rejected') throw declined(amended);
  });
}
