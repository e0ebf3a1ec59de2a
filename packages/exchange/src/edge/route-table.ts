/** Which route a request names. */

import type { Tracing } from '@venue/telemetry';
import type { Route } from '../http/route.ts';
import { type Handling, handlingOf } from './handling.ts';

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

/** The routes of one method: paths without open parts are looked up, the few others tried in turn. */
interface MethodRoutes {
  readonly plain: Map<string, Found>;
  readonly patterns: Pattern[];
}

export class RouteTable {
  readonly #methods = new Map<string, MethodRoutes>();

  constructor(routes: readonly Route[], tracing: Tracing | undefined) {
    for (const route of routes) {
      const row = { route, handling: handlingOf(route, tracing) };
      const { plain, patterns } = this.#routesOf(route.method);
      if (route.path.includes('{')) patterns.push({ ...row, regExp: regExpOf(route.path) });
      else plain.set(route.path, { ...row, params: NO_PARAMS });
    }
  }

  /**
   * Takes a path as it came in the request line, percent-encoded or not; undefined where there is no such route. `HEAD` finds
   * what `GET` does, and the sender leaves the answer's body out (WEB-1).
   */
  find(method: string, path: string): Found | undefined {
    const routes = this.#methods.get(method === 'HEAD' ? 'GET' : method);
    if (routes === undefined) return undefined;
    return routes.plain.get(path) ?? findDecoded(routes, path.includes('%') ? decodeOnce(path) : path);
  }

  #routesOf(method: string): MethodRoutes {
    const known = this.#methods.get(method);
    if (known !== undefined) return known;
    const routes = { plain: new Map(), patterns: [] };
    this.#methods.set(method, routes);
    return routes;
  }
}

function findDecoded({ plain, patterns }: MethodRoutes, path: string | null): Found | undefined {
  if (path === null) return undefined;
  const found = plain.get(path);
  if (found !== undefined) return found;
  for (const { route, handling, regExp } of patterns) {
    const groups = regExp.exec(path)?.groups;
    if (groups === undefined) continue;
    const params = paramsOf(groups);
    return params && { route, handling, params };
  }
  return undefined;
}

function regExpOf(path: string): RegExp {
  const literal = path.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${literal.replaceAll(/\{(\w+)\}/g, `(?<$1>[^/]{1,${PARAM_CHARS_MAX}})`)}$`);
}

/** Leaves what would be read as a separator encoded, and an encoded `%`, as parameters are decoded by themselves. */
function decodeOnce(path: string): string | null {
  return decoded(decodeURI, path.replaceAll('%25', '%2525'));
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
