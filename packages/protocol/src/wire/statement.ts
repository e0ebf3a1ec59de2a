/** Pages of fills, and the statement: every movement of an account's cash. */

import { type Static, Type } from 'typebox';
import {
  contracts,
  PAGE_ROWS_MAX,
  pageRows,
  price,
  SeriesIdText,
  SideText,
  SymbolText,
  TxHashText,
  text,
  unixMs,
  usd,
} from './primitives.ts';

const ID = '^[1-9][0-9]{0,14}$';
const MS = '^[0-9]{1,15}$';

/** Query of `GET /v1/fills`. */
export const FillsQuerySchema = Type.Object({
  before: Type.Optional(
    Type.String({ pattern: ID, description: 'Id of a fill: only older ones are answered' }),
  ),
  limit: pageRows(PAGE_ROWS_MAX),
});
export type FillsQuery = Static<typeof FillsQuerySchema>;

/** Query of `GET /v1/statement`. */
export const StatementQuerySchema = Type.Object({
  from: Type.Optional(
    Type.String({
      pattern: MS,
      description: 'First instant, in unix milliseconds; without it the beginning',
    }),
  ),
  to: Type.Optional(
    Type.String({
      pattern: MS,
      description: 'The instant after the last, in unix milliseconds; without it everything until now',
    }),
  ),
  next: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,15}-[0-9]{1,9}$',
      description: 'Id of the row that the answer goes on after: `next` of the answer before',
    }),
  ),
  limit: Type.Optional(
    Type.String({
      pattern: '^([1-9][0-9]{0,2}|1000)$',
      description: 'Rows at most, from 1 to 1000; 1000 without it',
    }),
  ),
  format: Type.Optional(
    Type.Union([Type.Literal('json'), Type.Literal('csv')], {
      description: 'Instead of the header `accept`: `csv` answers text/csv',
    }),
  ),
});
export type StatementQuery = Static<typeof StatementQuerySchema>;

/** One movement of cash. Fields that do not apply to its kind are left out. */
export const StatementRowSchema = Type.Object({
  id: text('Names the row, the same on every node'),
  ts: unixMs('Time of the movement'),
  kind: Type.Union(
    [
      Type.Literal('funding'),
      Type.Literal('deposit'),
      Type.Literal('release'),
      Type.Literal('withdrawal'),
      Type.Literal('trade'),
      Type.Literal('liquidation'),
      Type.Literal('settlement'),
      Type.Literal('hold'),
      Type.Literal('void'),
    ],
    {
      description:
        'Paper capital is `funding`; `release` makes cash of all deposits that were held; an operator holds a doubtful deposit (`hold`), and gives back a withdrawal that cannot be paid (`void`)',
    },
  ),
  change: usd('What the row did to the cash: for a trade the premium less the fee'),
  balance: usd('Cash after the row'),
  premium: Type.Optional(usd('Of a trade or liquidation, paid below zero, the fee aside')),
  fee: Type.Optional(usd('Of a trade or liquidation')),
  seriesId: Type.Optional(SeriesIdText),
  symbol: Type.Optional(SymbolText),
  side: Type.Optional(SideText),
  qty: Type.Optional(contracts('Quantity of the fill')),
  price: Type.Optional(price('Price of the fill; for a settlement the payout')),
  realized: Type.Optional(usd('Profit and loss realised by the fill, fee excluded')),
  fillId: Type.Optional(Type.Integer({ description: 'The row of the fills' })),
  orderId: Type.Optional(Type.Integer({ description: 'Order that traded; 0 for a settlement' })),
  withdrawalId: Type.Optional(Type.Integer({ description: 'The withdrawal' })),
  txHash: Type.Optional(TxHashText),
});
export type StatementRow = Static<typeof StatementRowSchema>;

/** Answer of `GET /v1/statement`. Opening balance plus the changes of the rows is the closing balance. */
export const StatementSchema = Type.Object({
  from: unixMs('First instant of the statement'),
  to: unixMs('The instant after the last'),
  completeFrom: unixMs('From when on nothing is missing; 0 if nothing ever is. Before it there are no rows'),
  openingBalance: usd('Cash before the first row of this answer'),
  rows: Type.Array(StatementRowSchema, { maxItems: 1000, description: 'Oldest first' }),
  closingBalance: usd('Cash after the last row of this answer'),
  next: Type.Optional(
    text('Given where there are more rows: ask for them with it, and the same `from` and `to`'),
  ),
});
export type Statement = Static<typeof StatementSchema>;
