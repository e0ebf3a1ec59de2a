/** A chain as several servers see it. */

import { Chain } from './chain.ts';
import { Rpc } from './rpc.ts';

/** The chain at these addresses, of which there is at least one. The signal ends requests in flight. */
export function chainAt(urls: readonly string[], signal?: AbortSignal): Chain {
  const [first, ...others] = urls.map((url) => new Rpc({ url, ...(signal !== undefined && { signal }) }));
  if (first === undefined) throw new TypeError('a chain needs a server');
  return new Chain(first, ...others);
}

/** A log for status lines, which say each time that nothing confirms what a single server says (CUS-11). */
export function statusLog({ isSingle }: Chain, log: (line: string) => void): (line: string) => void {
  return isSingle ? (line) => log(`${line}; a single RPC server is believed`) : log;
}
