/** Cancels all orders of a scope, or of one side of it. */

import { type Field, optional } from './field.ts';
import { form } from './form.ts';
import { type ActionOf, kindOf } from './kind.ts';
import { BATCH_CANCEL_SERIES_MAX } from './limits.ts';
import type { Posted } from './posted.ts';
import { listOf } from './schema.ts';
import { isWord, SERIES_ID, SIDE, SYMBOL, type Value } from './value.ts';

/** The orders that a cancel-all takes; lists are sorted by bytes and without repetition, symbols in upper case. */
export type CancelScope =
  | 'all'
  | { readonly symbols: readonly string[] }
  | { readonly series: readonly string[] };

const isSymbols = form({ symbols: isListOf(SYMBOL) });
const isSeries = form({ series: isListOf(SERIES_ID) });

function isListOf({ isLogged }: Value<string>): (value: unknown) => boolean {
  return (value) => Array.isArray(value) && value.every(isLogged);
}

const SCOPE: Field<CancelScope, { symbols?: string[]; seriesIds?: string[] }> = {
  properties: {
    symbols: listOf(SYMBOL.schema, 1, BATCH_CANCEL_SERIES_MAX),
    seriesIds: listOf(SERIES_ID.schema, 1, BATCH_CANCEL_SERIES_MAX),
  },
  isRequired: false,
  read: (posted) => {
    const symbols = readNames(posted, 'symbols', SYMBOL.parse);
    const series = readNames(posted, 'seriesIds', SERIES_ID.parse);
    if (symbols && series) posted.malformed('seriesIds');
    if (symbols) return { symbols };
    return series ? { series } : 'all';
  },
  text: (scope) => {
    if (scope === 'all') return ' all';
    return 'symbols' in scope
      ? ` symbols:${SYMBOL.text(scope.symbols.join(','), 'symbols')}`
      : ` series:${SERIES_ID.text(scope.series.join(','), 'seriesIds')}`;
  },
  isLogged: (value) => value === 'all' || isSymbols(value) || isSeries(value),
  namesIn: (scope) => {
    if (scope === 'all') return {};
    return 'symbols' in scope ? { symbols: scope.symbols } : { seriesIds: scope.series };
  },
};

/** Sorted by bytes, each in its one spelling. */
function readNames(
  posted: Posted,
  name: string,
  parse: Value<string>['parse'],
): readonly string[] | undefined {
  const names = posted.optional(name, (json) => {
    const isList =
      Array.isArray(json) && json.length > 0 && json.length <= BATCH_CANCEL_SERIES_MAX && json.every(isWord);
    return isList ? json.map((one) => parse(one)!).sort() : undefined;
  });
  if (names === undefined || new Set(names).size === names.length) return names;
  return posted.malformed(name);
}

export const CANCEL_ALL = kindOf(
  'cancel-all',
  {
    scope: SCOPE,
    /** Absent for both sides. */
    side: optional('side', SIDE, 'both'),
  },
  { readFirst: ['side'] },
);
export type CancelAllAction = ActionOf<typeof CANCEL_ALL>;
