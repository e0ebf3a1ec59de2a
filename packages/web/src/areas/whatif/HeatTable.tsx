/** The change of equity by nine spots and six dates. */

import { memo, type ReactNode } from 'react';
import { expiryLabel } from '../../basics/dates.ts';
import { formatAxis, formatCompactPnl, formatSize } from '../../basics/numbers.ts';
import { pnlClass } from '../../kit/tones.ts';
import type { Survey } from './core/messages.ts';
import type { HeatCell, TableDate } from './core/survey.ts';
import styles from './WhatIf.module.css';

interface HeatTableProps extends Survey {
  readonly atMs: number;
  /** Dates across and spots down, where there is little room. */
  readonly isNarrow: boolean;
}

export const HeatTable = memo(function HeatTable({
  dates,
  spots: moves,
  table,
  atMs,
  isNarrow,
}: HeatTableProps): ReactNode {
  const most = Math.max(...table.flat().map(({ change }) => Math.abs(change)), 1);
  const spots = moves.map(spotWords);
  const days = dates.map((date) => dateWords(date, atMs));
  const [across, down] = isNarrow ? [days, spots] : [spots, days];
  const cellAt = (row: number, column: number) => (isNarrow ? table[column]?.[row] : table[row]?.[column]);
  return (
    <div className={styles.heat}>
      <table aria-label="Change of equity by move of spot and date">
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">{isNarrow ? 'Spot' : 'Date'}</span>
            </th>
            {across.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {down.map((name, row) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {across.map((column, place) => (
                <Cell key={column} cell={cellAt(row, place)} most={most} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="muted">Change of equity. Underlined: in margin call.</p>
    </div>
  );
});

/** The strongest tint, at the largest amount of the table. */
const TINT_PERCENT = 24;

function Cell({ cell, most }: { readonly cell: HeatCell | undefined; readonly most: number }): ReactNode {
  if (cell === undefined) return <td>–</td>;
  const { change, isCalled } = cell;
  const tint = `${Math.round((Math.abs(change) / most) * TINT_PERCENT)}%`;
  return (
    <td
      className={pnlClass(change)}
      data-called={isCalled || undefined}
      style={{ ['--tint' as string]: tint }}
    >
      {formatCompactPnl(change)}
      {isCalled && <span className="visually-hidden"> margin call</span>}
    </td>
  );
}

function spotWords(move: number): string {
  return move === 0 ? 'Spot' : `${move > 0 ? '+' : '\u2212'}${formatSize(Math.abs(move) * 100)}%`;
}

/** `Now`, an expiry by its date, and others by their days, or by hours where these are few. */
function dateWords({ days, expiryTs }: TableDate, atMs: number): string {
  if (days === 0) return 'Now';
  if (expiryTs !== null) return expiryLabel(expiryTs, atMs);
  if (days < 2) return `+${formatAxis(days * 24, days < 0.5 ? 1 : 0)} h`;
  return `+${formatAxis(days, days < 10 ? 1 : 0)} d`;
}
