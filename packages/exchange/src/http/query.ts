/** The query of a request. */

import { parse } from 'node:querystring';

/** Its parameters, an array where one comes more than once. Text that is not percent-encoded stays as it is. */
export function parseQuery(text: string): Record<string, unknown> {
  return text === '' ? {} : parse(text, '&', '=', { maxKeys: 0, decodeURIComponent: decodeOrKeep });
}

function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
