/** What the holder of a token reads of the own account. */

import type { Account } from '@venue/engine';
import { type FillList, malformed } from '@venue/protocol';
import {
  AccountSchema,
  FillListSchema,
  FillsQuerySchema,
  StatementQuerySchema,
  StatementSchema,
} from '@venue/protocol/wire';
import { HistoryUnavailableError } from '../../history/history.ts';
import type { Place, StatementQuery } from '../../history/reads.ts';
import { accountOf, type Services } from '../../services.ts';
import { fillView, storedFillView } from '../../views/fills.ts';
import { CSV_TYPE, type Span, statementCsv, statementView } from '../../views/statement.ts';
import { HttpError, refuse } from '../errors.ts';
import { Content, type Route, route } from '../route.ts';

const FILLS_MAX = 500;
const STATEMENT_ROWS_MAX = 1_000;

export function accountRoutes(services: Services): Route[] {
  return [me(services), fills(services), statement(services)];
}

function me(services: Services): Route {
  return route({
    method: 'GET',
    path: '/v1/me',
    access: 'bearer',
    answer: AccountSchema,
    contract: { summary: 'The account' },
    handle: ({ bearer }) => services.accountPages.json(services.state, accountOf(services, bearer!)),
  });
}

function fills(services: Services): Route {
  return route({
    method: 'GET',
    path: '/v1/fills',
    access: 'bearer',
    query: FillsQuerySchema,
    answer: FillListSchema,
    contract: { summary: 'The fills of the account, newest first, 500 at most in one answer' },
    handle: ({ bearer, query }) => {
      const before = query.before === undefined ? Number.MAX_SAFE_INTEGER : Number(query.before);
      const limit = query.limit === undefined ? FILLS_MAX : Number(query.limit);
      return fillsBefore(services, accountOf(services, bearer!), { before, limit });
    },
  });
}

/** The state keeps the newest, and all of an account that has no more than that; older ones come from the history. */
function fillsBefore(
  { history }: Services,
  account: Account,
  { before, limit }: { before: number; limit: number },
): FillList | Promise<FillList> {
  const { fills: kept, index } = account;
  const newer = kept.findLastIndex(({ id }) => id < before) + 1;
  const hasAll = kept.length < FILLS_MAX;
  if (newer >= limit || hasAll) {
    const first = Math.max(newer - limit, 0);
    const rows = kept.slice(first, newer).toReversed().map(fillView);
    return { fills: rows, ...(first > 0 || !hasAll ? { before: rows.at(-1)!.id } : {}) };
  }
  if (history === null) refuse('historyUnavailable');
  return available(history.fills({ account: index, before, limit })).then((page) => ({
    fills: page.rows.map(storedFillView),
    ...(page.hasMore && { before: page.rows.at(-1)!.fillId! }),
    ...(page.completeFromMs > 0 && { completeFrom: page.completeFromMs }),
  }));
}

function statement(services: Services): Route {
  return route({
    method: 'GET',
    path: '/v1/statement',
    access: 'bearer',
    query: StatementQuerySchema,
    answer: StatementSchema,
    contract: {
      summary: 'All that moved the cash of the account, oldest first, with a running balance; JSON or CSV',
    },
    handle: async ({ bearer, query, headers }) => {
      const { index } = accountOf(services, bearer!);
      const { history } = services;
      if (history === null) refuse('historyUnavailable');
      const { from, to, next, limit } = query;
      const span = spanOf(services, from, to);
      const page = await available(
        history.statement({ account: index, ...span, after: placeOf(next), limit: rowsOf(limit) }),
      );
      const isCsv = (query.format ?? preferred(headers.accept)) === 'csv';
      return isCsv ? new Content(CSV_TYPE, statementCsv(page)) : statementView(page, span);
    },
  });
}

function spanOf({ now }: Services, from = '0', to?: string): Span {
  // An entry of this very millisecond belongs to what happened until now.
  const toMs = to === undefined ? now() + 1 : Number(to);
  const fromMs = Number(from);
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

/** JSON unless CSV alone is asked for. */
function preferred(accept = ''): 'csv' | 'json' {
  return /\btext\/csv\b/i.test(accept) && !/\bapplication\/json\b/i.test(accept) ? 'csv' : 'json';
}

/** A history that is not at hand says so, and why is in the log. */
function available<T>(page: Promise<T>): Promise<T> {
  return page.catch((error) => {
    if (error instanceof HistoryUnavailableError) refuse('historyUnavailable');
    throw error;
  });
}
