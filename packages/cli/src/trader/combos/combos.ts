/** `venue combo|spread|roll`: several legs in one order, all or none. */

import {
  CLIENT_ID,
  type ComboActionWire,
  type ComboLeg,
  decimalToMicros,
  microsToDecimal,
  parseSeriesId,
  toMicros,
} from '@venue/protocol';
import { type ActionResult, type ComboResult, type VenueClient, VenueError } from '@venue/sdk';
import { linesOf } from '@venue/sdk/spreads';
import { CommandError, usageError } from '../../base/command-error.ts';
import { EXIT } from '../../base/exit-codes.ts';
import { amountOf, seriesOf, signedAmountOf } from '../../connection/arguments.ts';
import { type CommonOptions, type Signing, signedIn, signIn, signing } from '../../connection/connection.ts';
import { allowLiveMoney, type LiveMoneyOptions } from '../../connection/live-money.ts';
import { pageOf, show } from '../../terminal/output.ts';
import { expiryOf } from '../market/market.ts';
import { checkTraded, declined, rejection } from '../orders/declined.ts';
import { comboText } from '../orders/order-text.ts';
import { type Outcome, sendActions } from '../orders/send-actions.ts';
import { comboEffect, type Foreseen, type Traded } from './combo-effect.ts';
import { comboLegsOf } from './combo-legs.ts';
import { comboPreviewText, comboResultText } from './combo-text.ts';
import { checkSpreadWords, spreadOf } from './spread-kinds.ts';

export interface ComboOptions extends CommonOptions, LiveMoneyOptions {
  readonly qty?: string;
  readonly net?: string;
  readonly tif?: 'ioc' | 'fok';
  readonly clientId?: string;
  /** Shows what it would cost, and places nothing. */
  readonly preview?: true;
}

export interface SpreadOptions extends ComboOptions {
  readonly expiry?: string;
  readonly far?: string;
}

/** The legs to trade, before their net is known. */
interface Wanted {
  /** As people call it. */
  readonly name: string;
  readonly legs: readonly ComboLeg[];
  /** Units that the command line did not give. */
  readonly qty?: number;
}

/** A client that may read the account; it signs where something is to be placed. */
type Reader = (client: VenueClient) => Promise<Wanted>;

/** Trades legs that are given one by one. If nothing trades, the command exits with 1 and says why. */
export async function runComboCommand(words: readonly string[], options: ComboOptions): Promise<void> {
  const legs = comboLegsOf(words);
  await runCombo(options, async () => ({ name: 'combo', legs }));
}

/** Trades a spread by its name; the expiry is the next one unless another is given. */
export async function runSpreadCommand(
  [kind, symbol = '', ...words]: readonly [kind: string, symbol: string | undefined, ...words: string[]],
  options: SpreadOptions,
): Promise<void> {
  checkSpreadWords(kind, words, options.far !== undefined);
  await runCombo(options, async ({ market }) => {
    const series = await market.series(symbol);
    const chainOf = (expiry: string | undefined) =>
      market.chain(symbol, expiryOf(series, { symbol, expiry }));
    const [near, far] = await Promise.all([
      chainOf(options.expiry),
      options.far === undefined ? null : chainOf(options.far),
    ]);
    return spreadOf(kind, words, { near, far });
  });
}

/** Closes a position and opens the same in another series of the underlying, in one order. */
export async function runRollCommand(from: string, to: string, options: ComboOptions): Promise<void> {
  const [closed, opened] = [seriesOf(from), seriesOf(to)];
  if (closed === opened) throw usageError('a roll goes from one contract to another');
  if (parseSeriesId(closed)!.symbol !== parseSeriesId(opened)!.symbol)
    throw usageError('a roll stays on one underlying');
  await runCombo(options, async (client) => {
    const { positions } = await client.account.me();
    const held = positions.find(({ seriesId }) => seriesId === closed)?.qty ?? 0;
    if (held === 0)
      throw new CommandError(`no position in ${closed}: nothing to roll`, EXIT.nothing, 'nothing-to-close');
    const [out, back] = held > 0 ? (['sell', 'buy'] as const) : (['buy', 'sell'] as const);
    const legs = [
      { seriesId: closed, side: out, ratio: 1 },
      { seriesId: opened, side: back, ratio: 1 },
    ];
    return { name: 'roll', legs, qty: rolledQty(options, Math.abs(held)) };
  });
}

function rolledQty({ qty }: ComboOptions, held: number): number {
  if (qty === undefined) return held;
  const wanted = amountOf('--qty', qty);
  if (wanted > held) throw usageError(`--qty is at most what is held, ${held}`);
  return wanted;
}

async function runCombo(options: ComboOptions, wantedOf: Reader): Promise<void> {
  checkOptions(options);
  if (options.preview) return showPreview(options, wantedOf);
  const trader = signing(options);
  await signIn(trader, trader.session);
  const wanted = await wantedOf(trader.client);
  const action = await actionOf(trader.client, wanted, options);
  await allowCombo(trader, options, { action, name: wanted.name });
  const words = wanted.name === 'combo' ? comboText(action) : `${wanted.name}, ${comboText(action)}`;
  await sendActions(trader, 'the combo was placed', [action], (outcome) => {
    const result = comboOf(outcome);
    const { account } = outcome;
    show(options, { ...result, account }, (page) => comboResultText(words, result, { account, page }));
    checkTraded(result);
  });
}

/** Faults that need no answer of the venue. */
function checkOptions({ qty, net, clientId }: ComboOptions): void {
  if (qty !== undefined) amountOf('--qty', qty);
  if (net !== undefined) netOf(net);
  if (clientId !== undefined && !CLIENT_ID.test(clientId))
    throw usageError(
      `--client-id is 1 to 36 letters, digits, _ and -, the first a letter or digit, not "${clientId}"`,
    );
}

/** Null for no limit. */
function netOf(text: string): number | null {
  return text === 'none' ? null : signedAmountOf('--net', text);
}

/** Shows the cost of a combo. If it would be declined, the command exits with 1. */
async function showPreview(options: ComboOptions, wantedOf: Reader): Promise<void> {
  const client = await signedIn(options);
  const wanted = await wantedOf(client);
  const action = await actionOf(client, wanted, options);
  const foreseen = await foresee(client, action);
  const { preview, effect, isEstimate } = foreseen;
  const { closes, opens, outcome } = effect ?? {};
  show(options, { ...preview, ...(effect && { closes, opens, isEstimate, ...outcome }) }, (page) =>
    comboPreviewText(action, foreseen, { title: wanted.name, page }),
  );
  if (preview.status === 'rejected') throw declined(preview);
}

/** Asks the venue for a preview of the combo. Throws `VenueError` if it gives none. */
async function foresee(client: VenueClient, action: ComboActionWire): Promise<Foreseen> {
  const [preview, { positions }] = await Promise.all([
    client.orders.previewCombo(action),
    client.account.me(),
  ]);
  const isEstimate = preview.status === 'rejected';
  const traded = isEstimate ? await tradedAtBest(client, action) : preview;
  const effect = traded === null || traded.fills.length === 0 ? null : comboEffect(traded, positions);
  return { preview, effect, isEstimate };
}

/** As if all of it traded at the best prices now, without fees; null where one of them is not there. */
async function tradedAtBest(client: VenueClient, { legs, qty }: ComboActionWire): Promise<Traded | null> {
  const prices = await bestPrices(client, legs).catch((error: unknown) => {
    // The preview has said what is wrong, such as a series that is not listed.
    if (error instanceof VenueError) return [null];
    throw error;
  });
  if (prices.includes(null)) return null;
  const sizes = linesOf(legs, qty).map((line) => Math.abs(Number(line.qty)));
  const fills = legs.map(({ seriesId, side }, i) => ({ seriesId, side, price: prices[i]!, qty: sizes[i]! }));
  const cost = fills.reduce(
    (sum, fill) => sum + (fill.side === 'buy' ? fill.price : -fill.price) * fill.qty,
    0,
  );
  return { fills, cost, fee: 0 };
}

async function actionOf(
  client: VenueClient,
  { legs, qty = 1 }: Wanted,
  options: ComboOptions,
): Promise<ComboActionWire> {
  const net = options.net === undefined ? await naturalNet(client, legs) : netOf(options.net);
  const { tif, clientId } = options;
  return {
    type: 'combo',
    legs: legs as ComboLeg[],
    qty: options.qty === undefined ? qty : amountOf('--qty', options.qty),
    ...(net !== null && { net }),
    ...(tif !== undefined && { tif }),
    ...(clientId !== undefined && { clientId }),
  };
}

/** The cost of a unit at the best prices now. Throws `CommandError` where nothing rests opposite. */
async function naturalNet(client: VenueClient, legs: readonly ComboLeg[]): Promise<number> {
  const prices = await bestPrices(client, legs);
  const parts = legs.map(({ seriesId, side, ratio }, i) => {
    const price = prices[i] ?? null;
    if (price === null)
      throw new CommandError(
        `nobody ${side === 'buy' ? 'offers' : 'bids for'} ${seriesId} now: nothing was sent`,
      );
    return decimalToMicros(price)! * (side === 'buy' ? ratio : -ratio);
  });
  return microsToDecimal(toMicros(parts.reduce((sum, part) => sum + part, 0)));
}

/** For each leg the best price on the other side of its book, null where nothing rests there. */
function bestPrices({ market }: VenueClient, legs: readonly ComboLeg[]): Promise<(number | null)[]> {
  return Promise.all(
    legs.map(async ({ seriesId, side }) => {
      const { bids, asks } = await market.book(seriesId);
      const [best] = side === 'buy' ? asks : bids;
      return best?.price ?? null;
    }),
  );
}

function allowCombo(
  { client }: Signing,
  options: LiveMoneyOptions,
  { action, name }: { readonly action: ComboActionWire; readonly name: string },
): Promise<void> {
  const cost = async () => {
    const foreseen = await foresee(client, action);
    const { preview } = foreseen;
    // A combo that would be declined needs no question.
    if (preview.status === 'rejected')
      throw new CommandError(`${rejection(preview)}; nothing was sent`, EXIT.refused, 'rejected');
    return comboPreviewText(action, foreseen, { title: name, page: pageOf(process.stderr) });
  };
  return allowLiveMoney(client, options, { question: `Place this ${name}`, cost });
}

/** The outcome of the only action. */
function comboOf({ results }: Outcome): ComboResult {
  const [result] = results as readonly [ActionResult];
  if (result.type !== 'combo') throw new TypeError(`its result is one of a ${result.type}`);
  return result;
}
