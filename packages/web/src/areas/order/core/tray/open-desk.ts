/** Puts the strategy tray's desk together, in the script that is loaded with the first leg. */

import { type Chain, type ChainLeg, parseSeriesId } from '@venue/protocol';
import { venueNowMs } from '../../../../market/clock.ts';
import type { Market } from '../../../../market/market.ts';
import { TrayDesk, type TrayDeskOptions } from './desk.ts';
import { KeptTray } from './kept-tray.ts';
import type { LegQuote } from './net.ts';

export interface Sources extends Pick<TrayDeskOptions, 'selectExpiry' | 'closeTicket' | 'settlesNear'> {
  readonly market: Pick<Market, 'spot' | 'subscribe'>;
  /** The chain of an expiry as far as the page knows it. */
  readonly chainOf: (symbol: string, expiryTs: number) => Chain | null;
}

type Shared = Pick<
  TrayDeskOptions,
  'client' | 'stores' | 'notices' | 'take' | 'send' | 'sendBatch' | 'onAccount'
>;

export function openDesk(shared: Shared, { market, chainOf, ...acts }: Sources): TrayDesk {
  return new TrayDesk({
    ...shared,
    ...acts,
    quoteOf: (seriesId) => quoteIn(chainOf, seriesId),
    onPrices: (numbered) => void market.subscribe({ numbered }),
    spot: () => market.spot,
    kept: new KeptTray(() => sessionStorage),
    venueNow: () => venueNowMs(shared.stores.link),
  });
}

/** A contract's figures on the chain; null while its chain is not known. */
export function quoteIn(chainOf: Sources['chainOf'], seriesId: string): LegQuote | null {
  const terms = parseSeriesId(seriesId);
  const chain = terms === undefined ? null : chainOf(terms.symbol, terms.expiryTs);
  for (const { call, put } of chain?.rows ?? []) {
    if (call?.seriesId === seriesId) return quoteOf(call);
    if (put?.seriesId === seriesId) return quoteOf(put);
  }
  return null;
}

function quoteOf({ bid, ask, mid, iv, delta }: ChainLeg): LegQuote {
  return {
    bid: bid?.price ?? Number.NaN,
    ask: ask?.price ?? Number.NaN,
    mid: mid ?? Number.NaN,
    iv: iv > 0 ? iv : Number.NaN,
    ...(iv > 0 && { delta }),
  };
}
