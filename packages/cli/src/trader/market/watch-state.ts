/** Collects what the stream has sent, for a screen, and formats each frame as a line. */

import type {
  Account,
  Instrument,
  StreamFill,
  StreamFrame,
  StreamOrder,
  TapePrint,
  Trade,
} from '@venue/protocol';
import { contracts, decimalText, EXACT_USD, ROUGH_USD, usd } from '../../terminal/numbers.ts';
import { plain } from '../../terminal/plain.ts';
import { sideStyle } from '../../terminal/style.ts';
import { type Column, type Page, table } from '../../terminal/table.ts';
import { utcSecond } from '../../terminal/times.ts';
import { accountText, ordersText, positionsText } from '../account/account.ts';
import { instrumentsText } from './instruments-text.ts';

const LAST_ROWS = 12;

export class WatchState {
  readonly #symbol: string | undefined;
  #spots: readonly Instrument[] = [];
  #prints: readonly TapePrint[] = [];
  #account: Account | null = null;
  #orders: readonly StreamOrder[] = [];
  #fills: readonly StreamFill[] = [];

  /** The underlying that is followed, in upper case; undefined for all. */
  constructor(symbol: string | undefined) {
    this.#symbol = symbol;
  }

  /** Applies a frame; returns it as lines, none if it says nothing new. */
  apply(frame: StreamFrame): string[] {
    switch (frame.type) {
      case 'spots':
        return this.#applySpots(frame.spots);
      case 'tape':
        this.#prints = [frame.print, ...this.#prints].slice(0, LAST_ROWS);
        return [`trade  ${tradeText(frame.print)}`];
      case 'fill':
        this.#fills = [frame.fill, ...this.#fills].slice(0, LAST_ROWS);
        return [`fill   ${tradeText(frame.fill)}${frame.fill.taker ? '' : ', as maker'}`];
      case 'orders':
        this.#orders = frame.orders;
        return [`orders ${frame.orders.length} rest`];
      case 'account':
        this.#account = frame.account;
        return [`account ${accountLine(frame.account)}`];
      default:
        // A frame of a kind that is newer than this command.
        return [];
    }
  }

  #applySpots(spots: readonly Instrument[]): string[] {
    const symbol = this.#symbol;
    const wanted = spots.filter((row) => symbol === undefined || row.symbol === symbol);
    const before = new Map(this.#spots.map((row) => [row.symbol, row]));
    this.#spots = wanted;
    return wanted
      .filter(({ symbol: of, spot, feedFresh }) => {
        const known = before.get(of);
        return known?.spot !== spot || known.feedFresh !== feedFresh;
      })
      .map((row) => `spot   ${plain(row.symbol)} ${usd(row.spot)}${row.feedFresh ? '' : ', stale'}`);
  }

  /** The complete screen. */
  lines(page: Page): string[] {
    return [
      ...(this.#spots.length === 0 ? [] : [...instrumentsText(this.#spots, page), '']),
      ...(this.#account === null ? [] : this.#accountLines(this.#account, page)),
      ...(this.#fills.length === 0
        ? []
        : [page.paint('Your fills', 'bold'), ...table(TRADE_COLUMNS, this.#fills, page), '']),
      ...(this.#prints.length === 0
        ? []
        : [page.paint('Last trades', 'bold'), ...table(TRADE_COLUMNS, this.#prints, page)]),
    ];
  }

  #accountLines(account: Account, page: Page): string[] {
    return [
      ...accountText(account, page),
      '',
      ...positionsText(account.positions, page),
      '',
      ...ordersText(this.#orders, page),
      '',
    ];
  }
}

type Row = Pick<TapePrint, 'seriesId' | 'side' | 'price' | 'qty' | 'ts'> & Pick<Trade, 'self'>;

/** A trade in one line. */
export function tradeText(trade: Row): string {
  const { seriesId, price, qty, ts } = trade;
  return `${sideText(trade)} ${contracts(qty)} ${plain(seriesId)} at ${decimalText(price, EXACT_USD)} USD, ${utcSecond(ts)} UTC`;
}

/** The taker's side; what an account traded with itself is told apart, where the frame says so (HIS-1). */
export function sideText({ side, self }: Pick<Row, 'side' | 'self'>): string {
  return self ? `self-${side}` : side;
}

function accountLine({ cash, equity, buyingPower, marginCall }: Account): string {
  const call = marginCall ? ', MARGIN CALL' : '';
  return `cash ${usd(cash)}, equity ${decimalText(equity, ROUGH_USD)} USD, buying power ${usd(buyingPower)}${call}`;
}

/** Trades as a table. */
export const TRADE_COLUMNS: readonly Column<Row>[] = [
  { title: 'time (UTC)', cell: ({ ts }) => utcSecond(ts), rank: 1 },
  { title: 'side', cell: sideText, rank: 0, style: ({ side }) => sideStyle(side) },
  { title: 'qty', cell: ({ qty }) => qty, places: [0, 6], rank: 0 },
  { title: 'series', cell: ({ seriesId }) => seriesId, rank: 0 },
  { title: 'price USD', cell: ({ price }) => price, rank: 0 },
];
