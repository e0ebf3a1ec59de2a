/** The text that `venue up` prints once the market is ready: the address, and commands to paste. */

import type { ChainLeg } from '@venue/protocol';
import { pause, VenueClient } from '@venue/sdk';

/** A contract with a bid and an offer, and its market data. */
export interface Example {
  readonly symbol: string;
  readonly expiryTs: number;
  readonly seriesId: string;
}

const LOOK_EVERY_MS = 300;

/** A quoted contract near the spot, or null if there is none within the limit or before the signal. */
export async function findExample(
  url: string,
  signal: AbortSignal,
  limitMs: number,
): Promise<Example | null> {
  const client = new VenueClient({ url });
  const untilMs = performance.now() + limitMs;
  while (!signal.aborted && performance.now() < untilMs) {
    const example = await findQuoted(client).catch(() => null);
    if (example !== null) return example;
    await pause(LOOK_EVERY_MS, signal);
  }
  return null;
}

async function findQuoted(client: VenueClient): Promise<Example | null> {
  const { instruments } = await client.market.meta();
  for (const { symbol, feedFresh } of instruments) {
    const series = feedFresh ? await client.market.series(symbol) : [];
    const expiries = [...new Set(series.map(({ expiryTs }) => expiryTs))].sort((a, b) => a - b);
    // The second expiry is at least a day away, so that the commands keep working for a while.
    const expiryTs = expiries[1] ?? expiries[0];
    const seriesId = expiryTs === undefined ? null : await quotedNearSpot(client, symbol, expiryTs);
    if (expiryTs !== undefined && seriesId !== null) return { symbol, expiryTs, seriesId };
  }
  return null;
}

async function quotedNearSpot(client: VenueClient, symbol: string, expiryTs: number): Promise<string | null> {
  const { rows, spot } = await client.market.chain(symbol, expiryTs);
  const nearest = rows.toSorted((a, b) => Math.abs(a.strike - spot) - Math.abs(b.strike - spot))[0];
  return nearest?.call && isQuoted(nearest.call) ? nearest.call.seriesId : null;
}

function isQuoted({ bid, ask }: ChainLeg): boolean {
  return bid !== null && ask !== null;
}

/** The text for a market with an example, or for one that has no quotes yet. */
export function guideText(url: string, example: Example | null): string {
  if (example === null)
    return `The exchange is open at ${url}; no quotes stand yet.\nCtrl-C stops everything.`;
  const { symbol, expiryTs, seriesId } = example;
  return `
The exchange is open with simulated prices, and quotes stand. Trade at

  ${url}/

or try in another terminal:

  curl -s '${url}/healthz'
  curl -s '${url}/v1/meta'
  curl -s '${url}/v1/chain?symbol=${symbol}&expiryTs=${expiryTs}'
  curl -s '${url}/v1/book?seriesId=${seriesId}'

Ctrl-C stops everything.
`;
}
