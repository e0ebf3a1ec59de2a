/** Accounts in margin call, the largest ones, and what each expiry may cost (OPS-1). */

import type { ExposedAccount, ExposedExpiry, ExposureReport, JumpStop } from '@venue/protocol';
import { type ReactNode, useState } from 'react';
import {
  formatPercent,
  formatPnl,
  formatPrice,
  formatSize,
  formatUsd,
  UNKNOWN,
} from '../../basics/numbers.ts';
import styles from './Admin.module.css';
import { cushionOf } from './glance.ts';
import { cutoffText, durationText, instantText } from './instant-text.ts';
import { Table } from './Table.tsx';

/** Rows before the button that shows the rest. */
const ROWS_FIRST = 10;

interface Props {
  readonly exposure: ExposureReport;
}

export function Accounts({ exposure }: Props): ReactNode {
  const { called, calledCount, largest, heldCount, stops, ts } = exposure;
  return (
    <>
      {stops.length > 0 && <Stops stops={stops} nowMs={ts} />}
      <section
        id="admin-called"
        className={`panel-box ${styles.wide}`}
        aria-label="In margin call"
        data-waits={calledCount > 0}
      >
        <h2>
          In margin call <span className={styles.count}>{calledCount}</span>
        </h2>
        {calledCount === 0 && <p className="muted">No account is in margin call.</p>}
        <AccountTable
          name="Accounts in margin call, greatest shortfall first"
          rows={called}
          all={calledCount}
          nowMs={ts}
        />
      </section>
      <section className={`panel-box ${styles.wide}`} aria-label="Largest accounts">
        <h2>
          Largest accounts <span className={styles.count}>of {heldCount} with positions</span>
        </h2>
        {heldCount === 0 && <p className="muted">Nobody holds a contract.</p>}
        <AccountTable name="Accounts by exposure" rows={largest} all={heldCount} nowMs={ts} />
      </section>
    </>
  );
}

interface StopsProps {
  readonly stops: readonly JumpStop[];
  /** The venue's clock when it was asked. */
  readonly nowMs: number;
}

/** Symbols in which nobody is liquidated for the moment (RSK-5). */
function Stops({ stops, nowMs }: StopsProps): ReactNode {
  return (
    <section className={`panel-box ${styles.wide}`} aria-label="Liquidation stopped" data-waits>
      <h2>
        Liquidation stopped by a jump <span className={styles.count}>{stops.length}</span>
      </h2>
      <Table name="Jumps" heads={['Underlying', 'Spot', 'Median of 60 s', 'Since', 'For at most']}>
        {stops.map(({ symbol, spot, median, since, until }) => (
          <tr key={symbol}>
            <th scope="row">{symbol}</th>
            <td>{formatPrice(spot)}</td>
            <td>{formatPrice(median)}</td>
            <td>{instantText(since)}</td>
            <td>{durationText(Math.max(0, until - nowMs))}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

const ACCOUNT_HEADS = [
  'Account',
  'Equity',
  'Maintenance',
  'Cushion',
  'Requirement',
  'Exposure',
  'Positions',
  'Quote sets',
  'In call for',
];

interface AccountTableProps {
  readonly name: string;
  readonly rows: readonly ExposedAccount[];
  /** How many there are, of which the venue tells the first. */
  readonly all: number;
  /** The venue's clock when it was asked. */
  readonly nowMs: number;
}

function AccountTable({ name, rows, all, nowMs }: AccountTableProps): ReactNode {
  const [isAll, setAll] = useState(false);
  if (rows.length === 0) return null;
  return (
    <>
      <Table name={name} heads={ACCOUNT_HEADS}>
        {(isAll ? rows : rows.slice(0, ROWS_FIRST)).map((row) => (
          <AccountRow key={row.address} row={row} nowMs={nowMs} />
        ))}
      </Table>
      {rows.length > ROWS_FIRST && (
        <p>
          <button type="button" onClick={() => setAll(!isAll)}>
            {isAll ? `First ${ROWS_FIRST}` : `Show ${rows.length}`}
          </button>
        </p>
      )}
      {all > rows.length && (
        <p className="muted">
          The first {rows.length} of {all}.
        </p>
      )}
    </>
  );
}

function AccountRow({ row, nowMs }: { readonly row: ExposedAccount; readonly nowMs: number }): ReactNode {
  const { address, equity, maintenance, requirement, exposure, positions, quoteSets } = row;
  const cushion = cushionOf(row);
  const isCalled = cushion < 0;
  return (
    <tr>
      <th scope="row">
        <code>{address}</code>
        {quoteSets > 0 && <span className={styles.count}> maker</span>}
      </th>
      <td>{formatUsd(equity)}</td>
      <td>{formatUsd(maintenance)}</td>
      <td className={isCalled ? 'fault' : ''}>{formatPnl(cushion, '$')}</td>
      <td>{formatUsd(requirement)}</td>
      <td>{formatUsd(exposure)}</td>
      <td>{positions}</td>
      <td>{quoteSets}</td>
      <td className={isCalled ? 'fault' : ''}>{isCalled ? calledText(row, nowMs) : UNKNOWN}</td>
    </tr>
  );
}

/** @example '7 s, since 29 Nov 2025 01:00:00 UTC' */
function calledText({ calledSince }: ExposedAccount, nowMs: number): string {
  if (calledSince === null) return 'no tick yet';
  return `${durationText(nowMs - calledSince)}, since ${instantText(calledSince)}`;
}

const EXPIRY_HEADS = [
  'Underlying',
  'Open interest',
  'Gross',
  'Net of the venue',
  'Venue’s maker',
  'House',
  'Worst at settlement',
  'At',
  'Uncovered calls',
  'Expiry',
];

export function Expiries({ exposure: { expiries } }: Props): ReactNode {
  return (
    <section id="admin-exposure" className={`panel-box ${styles.wide}`} aria-label="Exposure by expiry">
      <h2>
        Exposure by expiry <span className={styles.count}>{expiries.length}</span>
      </h2>
      {expiries.length === 0 && <p className="muted">No open interest.</p>}
      {expiries.length > 0 && (
        <>
          <Table name="Expiries with open interest" heads={EXPIRY_HEADS}>
            {expiries.map((row) => (
              <ExpiryRow key={`${row.symbol}-${row.expiryTs}`} row={row} />
            ))}
          </Table>
          <p className="muted">
            Net and worst are of house and the venue's own maker together, which took over what liquidation
            could not sell. Makers with quote sets trade on their own account: they are among the largest
            accounts. Worst: the least they get at any price up to twice the spot or their highest strike;
            past it each dollar costs the uncovered calls.
          </p>
        </>
      )}
    </section>
  );
}

function ExpiryRow({ row }: { readonly row: ExposedExpiry }): ReactNode {
  const { symbol, expiryTs, isPendingReview, openInterest, grossNotional, netNotional } = row;
  const { makerShare, houseShare, worst, uncoveredCalls } = row;
  return (
    <tr>
      <th scope="row">{symbol}</th>
      <td>{formatSize(openInterest)}</td>
      <td>{formatUsd(grossNotional)}</td>
      <td>{formatPnl(netNotional, '$')}</td>
      <td>{formatPercent(makerShare)}</td>
      <td className={houseShare > 0 ? 'warning' : ''}>{formatPercent(houseShare)}</td>
      <td>{formatPnl(worst.amount, '$')}</td>
      <td>{formatPrice(worst.at)}</td>
      <td>{formatSize(uncoveredCalls)}</td>
      <td className={isPendingReview ? 'warning' : ''}>
        {cutoffText(expiryTs)}
        {isPendingReview && ', pending review'}
      </td>
    </tr>
  );
}
