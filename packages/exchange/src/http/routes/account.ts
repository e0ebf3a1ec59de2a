/** Reads of an account by the holder of its token. */

import type { Account } from '@venue/engine';
import { type FillList, malformed } from '@venue/protocol';
import {
  AccountSchema,
  FillListSchema,
  FillsQuerySchema,
  PAGE_ROWS_MAX,
  StatementQuerySchema,
  StatementSchema,
} from '@venue/protocol/wire';
import type { Place, StatementQuery } from '../../history/reads.ts';
import { fillView, storedFillView } from '../../views/fills.ts';
import { CSV_TYPE, type Span, statementCsv, statementView } from '../../views/statement.ts';
import { HttpError } from '../errors.ts';
import { fromHistory } from '../history.ts';
import { Content, JSON_TYPE, type Route, route } from '../route.ts';
import { accountOf, type Services } from '../services.ts';

interface Page {
  /** The id of a fill. */
  readonly before: number;
  readonly limit: number;
}
export const STATEMENT_ROWS_MAX = 1_000;

export function accountRoutes(services: Services): Route[] {
  return [me(services), fills(services), statement(services)];
}

function me(services: Services): Route {
  return route({
    method: 'GET',
    path: '/v1/me',
    access: 'bearer',
    answer: AccountSchema,
    contract: {
      id: 'me',
      tag: 'Account',
      summary: 'The account',
      text: 'Amounts in dollars. `buyingPower` is cash less what is locked, and also what may be withdrawn; positions are no collateral (MAR-3).',
    },
    handle: ({ bearer }) =>
      new Content(JSON_TYPE, services.accountPages.account(services.state, accountOf(services, bearer!))),
  });
}

function fills(services: Services): Route {
  return route({
    method: 'GET',
    path: '/v1/fills',
    access: 'bearer',
    query: FillsQuerySchema,
    answer: FillListSchema,
    contract: {
      id: 'fills',
      tag: 'Account',
      summary: 'The fills of the account, newest first, 500 at most in one answer',
      text: 'Trades, settlements and liquidations. `before`, the id of a fill, and `limit` ask for a page; an answer with `before` has older ones after it. `realized` excludes fees, which stand in `fee`; a settlement has the payout of a contract as its price and the closing side (ACC-4, FINE-7). The 500 newest are always at hand; a venue that keeps no history refuses older ones.',
      errors: ['historyUnavailable'],
    },
    handle: ({ bearer, query }) => {
      const before = query.before === undefined ? Number.MAX_SAFE_INTEGER : Number(query.before);
      const limit = query.limit === undefined ? PAGE_ROWS_MAX : Number(query.limit);
      return fillsBefore(services, accountOf(services, bearer!), { before, limit });
    },
  });
}

/** The state keeps an account's newest fills, and all if there are no more; older ones come from the history. */
function fillsBefore(
  services: Services,
  account: Account,
  { before, limit }: Page,
): Content | Promise<FillList> {
  const { state, accountPages } = services;
  const newer = account.fills.countBelow(before);
  if (newer >= limit || hasAllFills(account)) {
    const make = () => JSON.stringify(keptFills(account, { newer, limit }));
    const name = `fills ${before} ${limit}`;
    return new Content(JSON_TYPE, accountPages.page(state, account, { name, make }));
  }
  const read = fromHistory(services, (history) =>
    history.read('fills', { account: account.index, before, limit }),
  );
  return read.then((page) => ({
    fills: page.rows.map(storedFillView),
    ...(page.hasMore && { before: page.rows.at(-1)!.fillId! }),
    ...(page.completeFromMs > 0 && { completeFrom: page.completeFromMs }),
  }));
}

function hasAllFills({ fills: kept }: Account): boolean {
  return kept.size < PAGE_ROWS_MAX;
}

/** The newest of the `newer` oldest fills that the state keeps. */
function keptFills(account: Account, { newer, limit }: { newer: number; limit: number }): FillList {
  const first = Math.max(newer - limit, 0);
  const rows = account.fills.slice(first, newer).reverse().map(fillView);
  return { fills: rows, ...(first > 0 || !hasAllFills(account) ? { before: rows.at(-1)!.id } : {}) };
}

function statement(services: Services): Route {
  return route({
    method: 'GET',
    path: '/v1/statement',
    access: 'bearer',
    query: StatementQuerySchema,
    answer: StatementSchema,
    contract: {
      id: 'statement',
      tag: 'Account',
      summary: 'All that moved the cash of the account, oldest first, with a running balance; JSON or CSV',
      text: 'Paper capital, deposits, trades with their fees, settlements, liquidations and withdrawals between `from` and `to`, in Unix milliseconds, the end exclusive; of what is still to come it has nothing, and a `from` past `to` is malformed. Amounts in dollars: `openingBalance` and the changes of the rows sum to `closingBalance`, which without `to` is the account’s cash. `next` goes on where an answer was full. `format=csv` answers a table, and so does an `accept` that prefers `text/csv`.',
      errors: ['historyUnavailable'],
    },
    handle: async ({ bearer, query, headers }) => {
      const { index } = accountOf(services, bearer!);
      const { from, to, next, limit } = query;
      const span = spanOf(services, from, to);
      const page = await fromHistory(services, (history) =>
        history.read('statement', { account: index, ...span, after: placeOf(next), limit: rowsOf(limit) }),
      );
      const isCsv = (query.format ?? preferred(headers.accept)) === 'csv';
      return isCsv ? new Content(CSV_TYPE, statementCsv(page)) : statementView(page, span);
    },
  });
}

function spanOf({ now }: Services, from = '0', to?: string): Span {
  const fromMs = Number(from);
  // An entry in this very millisecond counts as past. A client whose clock is ahead asks for the future, where there
  // is nothing.
  const toMs = to === undefined ? Math.max(now() + 1, fromMs) : Number(to);
  if (fromMs > toMs) throw new HttpError(malformed('from'));
  return { fromMs, toMs };
}

function placeOf(next: string | undefined): Place | null {
  if (next === undefined) return null;
  const [seq, n] = next.split('-').map(Number);
  return { seq: seq!, n: n! };
}

function rowsOf(limit: string | undefined): StatementQuery['limit'] {
  return limit === undefined ? STATEMENT_ROWS_MAX : Number(limit);
}

/** CSV if it is named and preferred to JSON; JSON otherwise. */
function preferred(accept = ''): 'csv' | 'json' {
  const qualities = new Map(accept.toLowerCase().split(',').map(qualityOf));
  const csv = qualities.get('text/csv') ?? 0;
  const json = qualities.get('application/json');
  if (json !== undefined) return csv > json ? 'csv' : 'json';
  const others = qualities.get('application/*') ?? qualities.get('*/*') ?? 0;
  return csv > 0 && csv >= others ? 'csv' : 'json';
}

/** Parses a range such as `text/csv; q=0.5`; quality is 1 by default, 0 for a type that is not wanted. */
function qualityOf(range: string): readonly [type: string, quality: number] {
  const [type, ...parameters] = range.split(';').map((part) => part.trim());
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  return [type!, quality === undefined ? 1 : Number(quality.slice(2)) || 0];
}
