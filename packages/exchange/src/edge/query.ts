/** The query of a request. */

import { parse } from 'node:querystring';
import type { TSchema } from 'typebox';
import { HttpError } from '../http/errors.ts';
import { compileCheck } from '../http/validate.ts';

/** Parameters by name, an array where one comes more than once. */
export type Query = Readonly<Record<string, unknown>>;

const PLAIN = { maxKeys: 0 };
const ENCODED = { ...PLAIN, decodeURIComponent: decodeOrKeep };

/** Clients poll a few thousand series and expiries with the same texts over and over. */
const KEPT_MAX = 4_096;
const KEPT_CHARS_MAX = 128;

/** Text that is not percent-encoded stays as it is. */
export function parseQuery(text: string): Query {
  return parse(text, '&', '=', text.includes('%') ? ENCODED : PLAIN);
}

/**
 * Reads the queries of one route; an empty parameter counts as absent. The reader throws `HttpError` for a query that
 * does not have the shape of the schema, and remembers those that have it.
 */
export function queryReader(schema: TSchema | undefined): (text: string) => Query {
  if (schema === undefined) return (text) => dropEmpty(parseQuery(text));
  const check = compileCheck('query', schema);
  const kept = new Map<string, Query>();
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const query = Object.freeze(dropEmpty(parseQuery(text)));
    const fault = check(query);
    if (fault !== null) throw new HttpError(fault);
    if (kept.size >= KEPT_MAX) kept.clear();
    if (text.length <= KEPT_CHARS_MAX) kept.set(text, query);
    return query;
  };
}

function dropEmpty(query: Query): Query {
  for (const name in query)
    if (query[name] === '')
      return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
  return query;
}

function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
