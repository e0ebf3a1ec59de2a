/** Which route a request names. */

import type { Tracing } from '@venue/telemetry';
import { type Handling, handlingOf } from './handling.ts';
import type { Route } from './route.ts';

/** A part of a path that stands for any text may be this long. */
const PARAM_CHARS_MAX = 100;
const NO_PARAMS: ReadonlyMap<string, string> = new Map();

interface Row {
  readonly route: Route;
  readonly handling: Handling;
}

/** A row of the table, and what the request put for the parts that its path leaves open. */
export interface Found extends Row {
  readonly params: ReadonlyMap<string, string>;
}

interface Pattern extends Row {
  readonly regExp: RegExp;
}

/** Paths without open parts are looked up at once; a request that names none of them is held against the few others. */
export class RouteTable {
  readonly #plain = new Map<string, Found>();
  readonly #patterns: Pattern[] = [];

  constructor(routes: readonly Route[], tracing: Tracing | undefined) {
    for (const route of routes) {
      const row = { route, handling: handlingOf(route, tracing) };
      const key = `${route.method} ${route.path}`;
      if (route.path.includes('{')) this.#patterns.push({ ...row, regExp: regExpOf(key) });
      else this.#plain.set(key, { ...row, params: NO_PARAMS });
    }
  }

  /** Of a path as it came in the request line, percent-encoded or not; undefined where there is none. */
  find(method: string, path: string): Found | undefined {
    const key = `${method} ${path}`;
    return this.#plain.get(key) ?? this.#findDecoded(path.includes('%') ? decodeOnce(key) : key);
  }

  #findDecoded(key: string | null): Found | undefined {
    if (key === null) return undefined;
    const plain = this.#plain.get(key);
    if (plain !== undefined) return plain;
    for (const { route, handling, regExp } of this.#patterns) {
      const groups = regExp.exec(key)?.groups;
      if (groups === undefined) continue;
      const params = paramsOf(groups);
      return params && { route, handling, params };
    }
    return undefined;
  }
}

function regExpOf(key: string): RegExp {
  const literal = key.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${literal.replaceAll(/\{(\w+)\}/g, `(?<$1>[^/]{1,${PARAM_CHARS_MAX}})`)}$`);
}

/** Leaves what would be read as a separator encoded, and an encoded `%`, as parameters are decoded by themselves. */
function decodeOnce(key: string): string | null {
  return decoded(decodeURI, key.replaceAll('%25', '%2525'));
}

function paramsOf(groups: Readonly<Record<string, string>>): ReadonlyMap<string, string> | undefined {
  const params = new Map<string, string>();
  for (const [name, text] of Object.entries(groups)) {
    const value = decoded(decodeURIComponent, text);
    if (value === null) return undefined;
    params.set(name, value);
  }
  return params;
}

function decoded(decode: (text: string) => string, text: string): string | null {
  try {
    return decode(text);
  } catch {
    return null;
  }
}
