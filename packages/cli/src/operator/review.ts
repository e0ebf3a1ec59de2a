/** `venue operator review`: the expiries that the oracle refused to settle, and why. */

import type { RefusedExpiry } from '@venue/protocol';
import type { VenueClient } from '@venue/sdk';
import { type CommonOptions, publicClient } from '../connection/connection.ts';
import { decimalText, EXACT_USD } from '../terminal/numbers.ts';
import { show } from '../terminal/output.ts';
import { plain } from '../terminal/plain.ts';
import { type Column, type Page, pairs, table } from '../terminal/table.ts';
import { expiryText, utcSecond } from '../terminal/times.ts';

interface Review {
  readonly symbol: string;
  readonly refused: RefusedExpiry | null;
  readonly series: readonly string[];
}

/** Lists every expiry that waits for two people, with its inputs and the command that settles it (FINE-1). */
export async function runReviewCommand(options: CommonOptions): Promise<void> {
  const client = publicClient(options);
  const { pendingReview } = await client.market.meta();
  const reviews = await reviewsOf(client, pendingReview);
  show(options, reviews, (page) =>
    reviews.length === 0
      ? ['nothing waits for review']
      : reviews.flatMap((review) => reviewText(review, page)),
  );
}

async function reviewsOf(client: VenueClient, pendingReview: readonly string[]): Promise<Review[]> {
  const waiting = Map.groupBy(pendingReview, (seriesId) => seriesId.split('-').slice(0, 2).join('-'));
  const refused = new Map<string, RefusedExpiry>();
  for (const symbol of new Set(pendingReview.map((seriesId) => seriesId.split('-')[0]!))) {
    const list = await client.market.settlements(symbol);
    for (const row of list.refused ?? []) refused.set(`${row.symbol}-${row.expiryTs}`, row);
  }
  return [...waiting].map(([expiry, series]) => ({
    symbol: expiry.split('-')[0]!,
    refused: refused.get(expiry) ?? null,
    series,
  }));
}

type Source = RefusedExpiry['sources'][number];

const SOURCE_COLUMNS: readonly Column<Source>[] = [
  { title: 'source', cell: ({ source }) => source, rank: 0, shortest: 12 },
  { title: 'average USD', cell: ({ average }) => average, rank: 0 },
  {
    title: 'counted',
    cell: ({ fresh }) => (fresh ? 'yes' : 'no'),
    rank: 1,
    style: ({ fresh }) => (fresh ? undefined : 'red'),
  },
  { title: 'last USD', cell: ({ last }) => last, rank: 2 },
  { title: 'last print (UTC)', cell: ({ lastTs }) => utcSecond(lastTs), rank: 3 },
];

function reviewText({ symbol, refused, series }: Review, page: Page): string[] {
  if (refused === null) return [`${plain(symbol)}: ${series.length} series wait for review`, ''];
  const { expiryTs, reason, refusedAt, anchor, dispersionBps, sources } = refused;
  const settle = `venue operator settle --symbol ${symbol} --expiry ${expiryTs} --price PRICE`;
  return [
    page.paint(`${plain(symbol)}, ${series.length} series`, 'bold'),
    ...pairs(
      [
        ['expiry', expiryText(expiryTs, Date.now())],
        ['refused', `${plain(reason)}, ${utcSecond(refusedAt)} UTC`],
        [
          'anchor',
          anchor === null ? 'none: nothing can settle it by hand' : `${decimalText(anchor, EXACT_USD)} USD`,
        ],
        ['dispersion', dispersionBps === null ? 'unknown' : `${decimalText(dispersionBps, [0, 2])} bps`],
        ['to settle it', anchor === null ? null : settle],
      ],
      page,
    ),
    ...table(SOURCE_COLUMNS, sources, page),
    '',
  ];
}
