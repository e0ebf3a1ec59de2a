/** A chain as the messages of its channel make it (STR-2). */

import type { Chain, ChainMembers } from '@venue/protocol';
import type { ChannelMessage } from '@venue/sdk/browser';

export class LiveChain {
  #chain: Chain | null = null;

  /** Takes the next message in order, and returns the whole chain after it. */
  take(message: Pick<ChannelMessage, 'type'> & ChainMembers): Chain {
    const before = message.type === 'snapshot' ? EMPTY : (this.#chain ?? EMPTY);
    const { symbol, expiryTs, spot, sessionOpen, rows = [] } = message;
    this.#chain = {
      symbol: symbol ?? before.symbol,
      expiryTs: expiryTs ?? before.expiryTs,
      spot: spot ?? before.spot,
      sessionOpen: sessionOpen ?? before.sessionOpen,
      rows: rows.length === 0 ? before.rows : merged(before.rows, rows),
    };
    return this.#chain;
  }
}

const EMPTY: Chain = { symbol: '', expiryTs: 0, spot: 0, sessionOpen: true, rows: [] };

/** A row replaces that of its strike; one without call and put is gone. */
function merged(before: Chain['rows'], changed: Chain['rows']): Chain['rows'] {
  const byStrike = new Map(before.map((row) => [row.strike, row]));
  for (const row of changed) {
    if (row.call === null && row.put === null) byStrike.delete(row.strike);
    else byStrike.set(row.strike, row);
  }
  return [...byStrike.values()].sort((a, b) => a.strike - b.strike);
}
