/** The rows that a batch brings to the file of the history. Amounts are in micros, times in Unix ms. */

import { ORDER_FLAGS, type OrderTerms, TIMES_IN_FORCE } from '@venue/protocol';
import {
  type Columns,
  type Given,
  int,
  layout,
  NO_ROWS,
  oneOf,
  optional,
  ownText,
  RowBuffer,
  type RowOf,
  type Rows,
  text,
} from './layout.ts';

export const MINUTE_MS = 60_000;
/** Volatilities are kept in millionths, as amounts are. */
export const VALUE_UNIT = 1_000_000;

const side = oneOf('buy', 'sell');

/** The terms that orders are recorded and shown with: all but how they meet orders of their own account. */
const TERMS = {
  tif: oneOf(...TIMES_IN_FORCE),
  expiresAt: optional(int),
  flag: optional(oneOf(...ORDER_FLAGS)),
  clientId: optional(ownText),
} satisfies Readonly<Record<Exclude<keyof OrderTerms, 'stp'>, unknown>>;

export type RecordedTerms = RowOf<typeof TERMS>;
export const RECORDED_TERMS = Object.keys(TERMS) as readonly (keyof RecordedTerms)[];

/** The column of a term in the file: `expires_at` of `expiresAt`. */
export function columnOf(term: keyof RecordedTerms): string {
  return term.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export const LAYOUTS = {
  /** Cash that moved. The fields from `fillId` on are those of fills, but for `reference` and `text`. */
  movements: layout({
    seq: int,
    /** Index among the movements of the entry. */
    n: int,
    account: int,
    ts: int,
    kind: oneOf(
      'funding',
      'deposit',
      'release',
      'withdrawal',
      'hold',
      'void',
      'trade',
      'liquidation',
      'settlement',
    ),
    /** Without the fee. */
    cash: int,
    fee: int,
    fillId: optional(int),
    /** Order id of a fill, payout id of a withdrawal. */
    reference: optional(int),
    sid: optional(int),
    side: optional(side),
    price: optional(int),
    qty: optional(int),
    realized: optional(int),
    /** 1 for the taker, 0 for the maker. */
    taker: optional(int),
    /** Signer of a fill, transaction of a deposit. */
    text: optional(text),
  }),

  /** Orders that were opened, and those that rested when the history began. */
  orders: layout({
    seq: int,
    account: int,
    id: int,
    ts: int,
    /** The series and side of a combo are those of its first leg. */
    sid: int,
    side,
    /** Null for a market order. Of a combo, its net. */
    price: optional(int),
    /** The total, what is filled included. */
    qty: int,
    ...TERMS,
    /** The legs of a combo, as `legsText` writes them. */
    legs: optional(ownText),
    /** The quantity that an order that rested had filled; null for one that was just opened. */
    filled: optional(int),
    /** The value of these fills in micros of micros, exact; null where nobody knows it. */
    value: optional(ownText),
  }),

  /** Orders that were amended, or closed if there is a cause. */
  orderChanges: layout({
    seq: int,
    account: int,
    id: int,
    price: optional(int),
    qty: optional(int),
    cause: optional(
      oneOf('filled', 'user', 'ioc', 'stp', 'gtd', 'guard', 'margin', 'settlement', 'liquidation'),
    ),
    closedAt: optional(int),
  }),

  prints: layout({
    seq: int,
    id: int,
    ts: int,
    sid: int,
    price: int,
    qty: int,
    /** 1 where the taker bought, 0 where it sold. */
    buy: int,
    /** 1 where an account traded with itself. */
    self: int,
  }),

  spots: layout({ seq: int, ts: int, symbol: text, price: int }),

  marks: layout({ seq: int, ts: int, sid: int, price: int }),

  /** The settlement prices of expiries. */
  settlements: layout({
    seq: int,
    symbol: text,
    expiryTs: int,
    decidedAt: int,
    price: int,
    by: oneOf('oracle', 'hand'),
    /** Null without a fresh source. */
    dispersion: optional(int),
    /** As JSON. */
    sources: ownText,
  }),

  // Samples of the hour, whose `t` counts hours since the Unix epoch (HIS-4).
  ivs: layout({ seq: int, symbol: text, expiryTs: int, t: int, value: int }),
  volatilities: layout({ seq: int, symbol: text, t: int, value: int }),
  equities: layout({ seq: int, account: int, t: int, value: int }),
};

type Layouts = typeof LAYOUTS;
type LayoutName = keyof Layouts;
type ColumnsOf<Name extends LayoutName> = Layouts[Name]['columns'];
/** A row as it is read, by the name of its layout. */
export type StoredRow<Name extends LayoutName> = RowOf<ColumnsOf<Name>>;
/** A row as it is written. */
export type NewRow<Name extends LayoutName> = Given<StoredRow<Name>>;

export type BatchRows = { readonly [Name in LayoutName]: Rows };
export type RowBuffers = { readonly [Name in LayoutName]: RowBuffer<ColumnsOf<Name>> };

export function rowBuffers(): RowBuffers {
  return ofEach((name) => new RowBuffer<Columns>(LAYOUTS[name])) as RowBuffers;
}

/** Removes and returns the sealed rows. */
export function takeSealed(buffers: RowBuffers): BatchRows {
  return ofEach((name) => buffers[name].take());
}

/** A batch without rows. */
export const NO_BATCH_ROWS: BatchRows = ofEach(() => NO_ROWS);

function ofEach<T>(make: (name: LayoutName) => T): Record<LayoutName, T> {
  const names = Object.keys(LAYOUTS) as LayoutName[];
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<LayoutName, T>;
}
