/** `venue orders` and `venue order`: the account's orders, open and closed (CID-2). */

import type { OrderRecord } from '@venue/protocol';
import { countOf } from '../../connection/arguments.ts';
import { type CommonOptions, signedIn } from '../../connection/connection.ts';
import { contracts, decimalText, EXACT_USD, usd } from '../../terminal/numbers.ts';
import { say, show } from '../../terminal/output.ts';
import { sideStyle } from '../../terminal/style.ts';
import { type Column, type Page, pairs, table } from '../../terminal/table.ts';
import { utcMinute, utcSecond } from '../../terminal/times.ts';
import { refOf } from './order-ref.ts';
import { legsText } from './order-text.ts';

const ORDERS_SHOWN = 50;
/** Most orders in one answer of the venue. */
const ANSWER_MAX = 500;

export interface OrdersOptions extends CommonOptions {
  readonly closed?: true;
  readonly symbol?: string;
  readonly limit?: string;
  readonly before?: string;
}

/** Lists orders that rest, or that left with why, newest first. */
export async function runOrdersCommand(options: OrdersOptions): Promise<void> {
  const { symbol, before } = options;
  const status = options.closed ? 'closed' : 'open';
  const limit = countOf('--limit', options.limit ?? String(ORDERS_SHOWN), ANSWER_MAX);
  const wanted = {
    status,
    limit,
    ...(symbol !== undefined && { symbol: symbol.toUpperCase() }),
    ...(before !== undefined && { before: countOf('--before', before, Number.MAX_SAFE_INTEGER) }),
  } as const;
  const client = await signedIn(options);
  const { orders, before: older, completeFrom } = await client.orders.list(wanted);
  const notes = [
    ...(older === undefined ? [] : [olderNote(orders.length, older, options)]),
    ...(completeFrom === undefined ? [] : [missingNote(completeFrom)]),
  ];
  show(options, orders, (page) => [...listText(orders, status, page), ...notes]);
  // Output for programs stays clean.
  if (options.json) for (const note of notes) say(`venue: ${note}`);
}

function olderNote(shown: number, before: number, options: OrdersOptions): string {
  const { closed, symbol, limit, profile, url } = options;
  const given = Object.entries({ symbol, limit, profile, url }).filter(([, value]) => value !== undefined);
  const again = given.map(([name, value]) => ` --${name} ${value}`).join('');
  return `${shown} shown, older ones if there are any: venue orders${closed ? ' --closed' : ''} --before ${before}${again}`;
}

function missingNote(completeFrom: number): string {
  const since = new Date(completeFrom).toISOString();
  return `the venue's history begins at ${since}: orders that left before may be missing`;
}

function listText(orders: readonly OrderRecord[], status: 'open' | 'closed', page: Page): string[] {
  if (orders.length === 0) return [status === 'open' ? 'no orders rest' : 'no orders have left the books'];
  // A column that says nothing of any order is left out.
  const columns = COLUMNS[status].filter(({ title, cell }) =>
    OFTEN_EMPTY.has(title) ? orders.some((order) => cell(order) !== null) : true,
  );
  return table(columns, orders, page);
}

const OFTEN_EMPTY: ReadonlySet<string> = new Set(['flag', 'client id']);

type OrderColumn = Column<OrderRecord>;

const NAMED: readonly OrderColumn[] = [
  { title: 'id', cell: ({ id }) => id, places: [0, 0], rank: 0 },
  { title: 'series', cell: (order) => seriesOf(order), rank: 0 },
  {
    title: 'side',
    cell: (order) => ('legs' in order ? 'combo' : order.side),
    rank: 0,
    style: (order) => ('legs' in order ? undefined : sideStyle(order.side)),
  },
  { title: 'price USD', cell: (order) => priceOf(order), rank: 1 },
];

/** The legs of a combo in place of a series. */
function seriesOf(order: OrderRecord): string {
  return 'legs' in order ? legsText(order.legs) : order.seriesId;
}

function priceOf(order: OrderRecord): number | null {
  return 'legs' in order ? order.net : order.price;
}

const FLAG: OrderColumn = { title: 'flag', cell: ({ flag }) => flag, rank: 4 };
const CLIENT: OrderColumn = {
  title: 'client id',
  cell: ({ clientId }) => clientId ?? null,
  rank: 5,
  shortest: 9,
};

const COLUMNS: Readonly<Record<'open' | 'closed', readonly OrderColumn[]>> = {
  open: [
    ...NAMED,
    { title: 'left', cell: ({ remaining }) => remaining, places: [0, 6], rank: 1 },
    { title: 'of', cell: ({ qty }) => qty, places: [0, 6], rank: 2 },
    { title: 'in force (UTC)', cell: inForceText, rank: 3 },
    FLAG,
    { title: 'since (UTC)', cell: ({ ts }) => utcSecond(ts), rank: 4 },
    CLIENT,
  ],
  closed: [
    ...NAMED,
    { title: 'filled', cell: ({ filledQty }) => filledQty, places: [0, 6], rank: 1 },
    { title: 'of', cell: ({ qty }) => qty, places: [0, 6], rank: 2 },
    { title: 'at USD', cell: ({ avgPrice }) => avgPrice, rank: 2 },
    { title: 'status', cell: ({ status }) => status, rank: 1 },
    { title: 'cause', cell: ({ cause }) => cause, rank: 0 },
    FLAG,
    {
      title: 'closed (UTC)',
      cell: ({ closedAt }) => (closedAt === null ? null : utcSecond(closedAt)),
      rank: 3,
    },
    CLIENT,
  ],
};

/** `gtc`, or until when. */
function inForceText(order: OrderRecord): string {
  const until = expiryOf(order);
  return until === undefined ? order.tif : `until ${utcMinute(until)}`;
}

function expiryOf(order: OrderRecord): number | undefined {
  return 'legs' in order ? undefined : order.expiresAt;
}

/** Shows one order, by its id or its client id. */
export async function runOrderShowCommand(order: string, options: CommonOptions): Promise<void> {
  const ref = refOf(order);
  const client = await signedIn(options);
  const found = await client.orders.find(ref);
  show(options, found, (page) => orderText(found, page));
}

/** All that is known of an order. */
export function orderText(order: OrderRecord, page: Page): string[] {
  const { id, clientId, qty, remaining, filledQty, avgPrice, tif } = order;
  const { flag, status, cause, ts, closedAt } = order;
  const isCombo = 'legs' in order;
  const price = priceOf(order);
  const expiresAt = expiryOf(order);
  return pairs(
    [
      ['order', String(id)],
      ['client id', clientId ?? null],
      [isCombo ? 'legs' : 'series', seriesOf(order)],
      ['side', isCombo ? null : order.side],
      [isCombo ? 'net' : 'price', price === null ? 'market' : usd(price)],
      ['quantity', contracts(qty)],
      [
        'filled',
        `${contracts(filledQty)}${avgPrice === null ? '' : ` at ${decimalText(avgPrice, EXACT_USD)} USD on average`}`,
      ],
      ['rests', remaining > 0 ? contracts(remaining) : null],
      ['in force', expiresAt === undefined ? tif : `${tif}, until ${utcSecond(expiresAt)} UTC`],
      ['flag', flag],
      ['status', cause === null || cause === status ? status : `${status}: ${cause}`],
      ['placed', `${utcSecond(ts)} UTC`],
      ['closed', closedAt === null ? null : `${utcSecond(closedAt)} UTC`],
    ],
    page,
  );
}
