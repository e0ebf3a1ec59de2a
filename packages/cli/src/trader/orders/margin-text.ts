/** Formats the margin of an account for people: what is locked, and what for (DRM-5). */

import type { MarginGroup, MarginReport, MarginSeries } from '@venue/protocol';
import { decimalText, ROUGH_USD, usd } from '../../terminal/numbers.ts';
import { type Column, type Page, pairs, table } from '../../terminal/table.ts';
import { expiryDay } from '../../terminal/times.ts';

/** Amounts, then the shorts one by one, or in defined-risk mode the groups with their covers. */
export function marginText(report: MarginReport, page: Page): string[] {
  const rough = (value: number) => `${decimalText(value, ROUGH_USD)} USD`;
  const call = report.marginCall ? page.paint(' MARGIN CALL', 'red') : '';
  return [
    ...pairs(
      [
        ['margin', `${report.marginEnabled ? 'on' : 'off'}, ${report.marginMode}`],
        ['cash', usd(report.cash)],
        ['reserved by orders', usd(report.reserved)],
        ['locked', usd(report.locked)],
        ['buying power', usd(report.buyingPower)],
        ['equity', rough(report.equity)],
        ['maintenance margin', `${rough(report.maintenanceMargin)}${call}`],
      ],
      page,
    ),
    ...(report.groups === undefined ? seriesText(report.series, page) : groupsText(report.groups, page)),
  ];
}

function seriesText(series: readonly MarginSeries[], page: Page): string[] {
  if (series.length === 0) return [];
  const columns: Column<MarginSeries>[] = [
    { title: 'short', cell: ({ seriesId }) => seriesId, rank: 0 },
    { title: 'qty', cell: ({ qty }) => qty, places: [0, 6], rank: 1 },
    { title: 'selling', cell: ({ restingSell }) => restingSell, places: [0, 6], rank: 3 },
    { title: 'each USD', cell: ({ entry }) => entry.unit, rank: 2 },
    { title: 'locks USD', cell: ({ entry }) => entry.amount, rank: 0 },
    { title: 'maintenance USD', cell: ({ maintenance }) => maintenance.amount, places: ROUGH_USD, rank: 1 },
  ];
  return ['', ...table(columns, series, page)];
}

const RULES: Readonly<Record<MarginGroup['rule'], string>> = {
  A: 'cheapest cover',
  B: 'greatest loss',
  settlement: 'what it will pay',
  none: 'nothing is short',
};

function groupsText(groups: readonly MarginGroup[], page: Page): string[] {
  if (groups.length === 0) return [];
  const columns: Column<MarginGroup>[] = [
    { title: 'group', cell: ({ symbol, expiryTs }) => `${symbol} ${expiryDay(expiryTs)}`, rank: 0 },
    { title: 'by its', cell: ({ rule }) => RULES[rule], rank: 1 },
    { title: 'locks USD', cell: ({ requirement }) => requirement, rank: 0 },
    { title: 'maintenance USD', cell: ({ maintenance }) => maintenance, places: ROUGH_USD, rank: 3 },
    { title: 'can lose USD', cell: ({ loss }) => loss.amount, rank: 2 },
    { title: 'at USD', cell: ({ loss }) => loss.at, rank: 2 },
  ];
  return ['', ...table(columns, groups, page), ...legsText(groups, page)];
}

interface Leg {
  readonly short: string;
  /** Null where nothing covers it. */
  readonly long: string | null;
  readonly qty: number;
  readonly each: number;
}

function legsText(groups: readonly MarginGroup[], page: Page): string[] {
  const legs = groups.flatMap(({ covers, uncovered }): Leg[] => [
    ...covers,
    ...uncovered.map(({ seriesId, qty, unit }) => ({ short: seriesId, long: null, qty, each: unit })),
  ]);
  if (legs.length === 0) return [];
  const columns: Column<Leg>[] = [
    { title: 'short', cell: ({ short }) => short, rank: 0 },
    {
      title: 'covered by',
      cell: ({ long }) => long ?? 'nothing',
      rank: 0,
      style: ({ long }) => (long === null ? 'red' : undefined),
    },
    { title: 'qty', cell: ({ qty }) => qty, places: [0, 6], rank: 0 },
    { title: 'each USD', cell: ({ each }) => each, rank: 1 },
  ];
  return ['', ...table(columns, legs, page)];
}
