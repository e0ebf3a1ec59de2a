/** The query of a request. */

import { parse } from 'node:querystring';

const PLAIN = { maxKeys: 0 };
const ENCODED = { ...PLAIN, decodeURIComponent: decodeOrKeep };

/** Its parameters, an array where one comes more than once. Text that is not percent-encoded stays as it is. */
export function parseQuery(text: string): Record<string, unknown> {
  return parse(text, '&', '=', text.includes('%') ? ENCODED : PLAIN);
}

function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
