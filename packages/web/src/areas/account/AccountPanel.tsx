/** The account's totals: money, what locks it, margin with its switch, marks, and each underlying's part. */

import type { Account, MarginMarks, MarginReport } from '@venue/protocol';
import type { ReactNode } from 'react';
import { expiryLabel } from '../../basics/dates.ts';
import {
  formatIv,
  formatPercent,
  formatPnl,
  formatPosition,
  formatPrice,
  formatSize,
  formatUsd,
  UNKNOWN,
} from '../../basics/numbers.ts';
import { momentLabel } from '../../basics/time-label.ts';
import { Info } from '../../kit/Info.tsx';
import { type RowColumn, Rows } from '../../kit/Rows.tsx';
import { SignIn } from '../../kit/SignIn.tsx';
import { pnlClass } from '../../kit/tones.ts';
import { quotedUnrealized } from '../../market/marks.ts';
import { seriesLabel } from '../../market/series-label.ts';
import { dayResult, sinceWords } from '../../session/day-base.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { equityNote, usePositions } from '../../terminal/use-positions.ts';
import styles from './AccountPanel.module.css';
import { groupWords } from './core/group-words.ts';
import { type Lock, locksOf } from './core/locks.ts';
import { marginStanding, ORANGE_SHARE, YELLOW_SHARE } from './core/margin-call.ts';
import { HOW_MARKED, markedAt, markOf, partText } from './core/mark-words.ts';
import { moneyStrip } from './core/money-lines.ts';
import { type Holding, holdingsBySymbol } from './core/underlyings.ts';
import { ModeSwitch } from './ModeSwitch.tsx';
import { useMarginReport } from './use-margin.ts';

export function AccountPanel(): ReactNode {
  const { stores } = useTerminal();
  const account = useStore(stores.holdings, (state) => state.account);
  const session = useStore(stores.session, ({ state }) => state);
  const report = useMarginReport(session === 'ready');
  if (session !== 'ready') return <SignIn />;
  if (account === null) return <p className="muted">Reading your account…</p>;
  return (
    <div className={styles.accountFrame}>
      <div className={styles.account}>
        <Money account={account} />
        <Margin {...{ account, report }} />
        {report !== null && <Locked report={report} />}
        {report !== null && <Marks report={report} />}
        <Portfolio />
      </div>
    </div>
  );
}

type Tile = readonly [label: string, text: string, className?: string | undefined];

/** Money and margin in one strip; cash less what is locked is buying power, with positions it is equity. */
function Money({ account }: { readonly account: Account }): ReactNode {
  const positions = usePositions();
  const { sign, text } = equityNote(positions);
  const day = useDay();
  const { realizedPnl, held, maintenanceMargin, equity } = account;
  const unrealizedPnl = quotedUnrealized(positions);
  const share = maintenanceMargin === 0 ? 0 : maintenanceMargin / equity;
  const tiles: Tile[] = [
    ...moneyStrip(account).map(({ label, amount, isTotal }): Tile => {
      const bound = label === 'Equity' ? sign : '';
      return [label, `${bound}${formatUsd(amount)}`, isTotal === true ? 'total' : undefined];
    }),
    ['Maintenance margin', formatUsd(maintenanceMargin)],
    ['Margin used', equity > 0 ? formatPercent(share, 0) : UNKNOWN],
    ['Excess equity', formatPnl(equity - maintenanceMargin, '$')],
    ...(day === null ? [] : [day]),
    [
      text === null ? 'Unrealised' : 'Unrealised, quoted only',
      formatPnl(unrealizedPnl, '$'),
      pnlClass(unrealizedPnl),
    ],
    ['Realised before fees', formatPnl(realizedPnl, '$'), pnlClass(realizedPnl)],
    ...(held !== undefined && held > 0 ? [['Deposits held for review', formatUsd(held)] as const] : []),
  ];
  return (
    <section className={styles.wide} aria-label="Money and margin">
      <dl className={styles.strip}>
        {tiles.map(([label, shown, className]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className={className}>
              {shown}
              {label === 'Margin used' && <ShareMeter share={share} />}
            </dd>
          </div>
        ))}
      </dl>
      {text !== null && <p className="warning">{text}</p>}
    </section>
  );
}

/** The account's result today; null while it is unknown. */
function useDay(): Tile | null {
  const { stores } = useTerminal();
  const result = useStore(stores.holdings, dayResult);
  const base = useStore(stores.holdings, ({ dayBase }) => dayBase);
  if (result === null || base === null) return null;
  return [`Day P&L ${sinceWords(base, momentLabel)}`, formatPnl(result, '$'), pnlClass(result)];
}

interface MarginProps {
  readonly account: Account;
  /** Null before the first. */
  readonly report: MarginReport | null;
}

/** The account's settings, in one line where there is room. */
function Margin({ account: { marginEnabled }, report }: MarginProps): ReactNode {
  const { actions } = useTerminal();
  return (
    <section className={`${styles.wide} ${styles.settings}`} aria-label="Margin">
      <label className={styles.marginSwitch}>
        <input
          type="checkbox"
          role="switch"
          aria-checked={marginEnabled}
          checked={marginEnabled}
          onChange={(event) => actions.setMargin(event.target.checked)}
        />
        Margin is {marginEnabled ? 'on' : 'off'}
      </label>
      <Info about="margin">
        {marginEnabled
          ? 'You can sell options that you do not hold. Each short locks margin, and under the maintenance margin the venue buys shorts back. It can be turned off while you have no shorts and no sells that would open one.'
          : 'You trade with cash alone: you can lose no more than you pay. Turn on margin to sell options that you do not hold. Your session key signs that.'}
      </Info>
      {report !== null && <ModeSwitch mode={report.marginMode} />}
    </section>
  );
}

/** The maintenance share on a scale with the warning thresholds. */
function ShareMeter({ share }: { readonly share: number }): ReactNode {
  const shown = Number.isFinite(share) && share >= 0 ? Math.min(1, share) : 1;
  return (
    <meter
      min={0}
      max={1}
      low={YELLOW_SHARE}
      high={ORANGE_SHARE}
      optimum={0}
      value={shown}
      aria-label={`Maintenance margin as a share of equity: a warning from ${formatPercent(YELLOW_SHARE, 0)}, a stronger one from ${formatPercent(ORANGE_SHARE, 0)}, a margin call at 100%`}
    />
  );
}

const LOCK_WORDS: Readonly<Record<Lock['kind'], string>> = {
  group: 'Positions together',
  short: 'Short',
  'resting-sell': 'Resting sell',
  'resting-buy': 'Resting buy',
  sets: 'Reserve',
  older: 'Reserve',
};

const SETS = { sets: 'Quote sets', older: 'Quote sets and older buys' } as const;

const LOCK_COLUMNS: readonly RowColumn<Lock>[] = [
  { head: 'Contract', cell: lockName },
  { head: 'By', cell: ({ kind }) => LOCK_WORDS[kind] },
  { head: 'Contracts', cell: (lock) => ('qty' in lock ? formatSize(lock.qty) : UNKNOWN) },
  { head: 'Each', cell: (lock) => ('unit' in lock ? formatPrice(lock.unit) : UNKNOWN) },
  { head: 'Locked', cell: ({ shown }) => formatPrice(shown, 2) },
];

function lockName(lock: Lock): string {
  if ('seriesId' in lock) return seriesLabel(lock.seriesId);
  if (lock.kind !== 'group') return SETS[lock.kind];
  return `${lock.group.symbol} ${expiryLabel(lock.group.expiryTs, Date.now())}`;
}

function GroupLegs({ lock }: { readonly lock: Extract<Lock, { kind: 'group' }> }): ReactNode {
  const { sum, legs } = groupWords(lock.group, lock.shown);
  return (
    <div className={styles.groupLegs}>
      {sum}
      <ul>
        {legs.map((leg) => (
          <li key={leg}>{leg}</li>
        ))}
      </ul>
    </div>
  );
}

interface ReportProps {
  readonly report: MarginReport;
}

function Locked({ report }: ReportProps): ReactNode {
  const locks = locksOf(report);
  const standing = marginStanding(report);
  return (
    <section className={`${styles.wide} ${styles.table}`}>
      <h3>Margin by position: {formatUsd(report.locked)}</h3>
      {locks.length === 0 ? (
        <p className="muted">Nothing: no short positions and no resting orders that need cash.</p>
      ) : (
        <Rows
          label="What locks cash"
          items={locks}
          keyOf={({ key }) => key}
          columns={LOCK_COLUMNS}
          detailOf={(lock) => (lock.kind === 'group' ? <GroupLegs lock={lock} /> : null)}
        />
      )}
      {standing.shortfallMicros > 0 && (
        <p className="fault">Equity is under the maintenance margin: see the margin call.</p>
      )}
    </section>
  );
}

function Marks({ report: { marks, riskMark } }: ReportProps): ReactNode {
  if (marks.length === 0) return null;
  const columns = riskMark === 'model' ? MODEL_COLUMNS : bookColumns(marks);
  return (
    <section className={`${styles.wide} ${styles.table} ${styles.marks}`}>
      <h3>How your contracts are marked</h3>
      <Rows label="Marks" items={marks} keyOf={({ seriesId }) => seriesId} columns={columns} />
      <p className="muted">{HOW_MARKED[riskMark]}</p>
    </section>
  );
}

const MARKED_CONTRACT: RowColumn<MarginMarks> = {
  head: 'Contract',
  cell: ({ seriesId }) => seriesLabel(seriesId),
};

const MODEL_COLUMNS: readonly RowColumn<MarginMarks>[] = [
  MARKED_CONTRACT,
  { head: 'IV', cell: ({ iv }) => formatIv(iv ?? 0) },
  { head: 'Model', cell: ({ model }) => partText(model) },
  { head: 'Impact bid', cell: ({ bid }) => partText(bid) },
  { head: 'Impact ask', cell: ({ ask }) => partText(ask) },
  { head: 'Mark', cell: (one) => formatPrice(markOf(one, 'model')), className: () => 'total' },
  { head: 'Marked at', cell: markedAt },
];

/** Where the book marks, the model is information, and has no column while nobody gives a volatility. */
function bookColumns(marks: readonly MarginMarks[]): readonly RowColumn<MarginMarks>[] {
  const mark: RowColumn<MarginMarks> = {
    head: 'Mark, by the book',
    cell: (one) => formatPrice(markOf(one, 'book')),
    className: () => 'total',
  };
  if (marks.every(({ iv }) => iv === null)) return [MARKED_CONTRACT, mark];
  return [
    MARKED_CONTRACT,
    mark,
    { head: 'Model, for information', cell: ({ model }) => partText(model) },
    { head: 'IV', cell: ({ iv }) => formatIv(iv ?? 0) },
  ];
}

const HOLDING_COLUMNS: readonly RowColumn<Holding>[] = [
  { head: 'Underlying', cell: ({ symbol }) => symbol },
  {
    head: 'Positions',
    cell: ({ positions, unquoted }) => (unquoted === 0 ? positions : `${positions} (${unquoted} unquoted)`),
  },
  { head: 'Long', cell: ({ longQty }) => formatPosition(longQty), className: () => 'long' },
  { head: 'Short', cell: ({ shortQty }) => formatPosition(-shortQty), className: () => 'short' },
  { head: 'Value', cell: (holding) => ofQuoted(holding, holding.value) },
  {
    head: 'Unrealised',
    cell: (holding) => ofQuoted(holding, holding.unrealized),
    className: ({ unrealized }) => pnlClass(unrealized),
  },
  {
    head: 'Realised of open positions',
    cell: ({ realized }) => formatPnl(realized),
    className: ({ realized }) => pnlClass(realized),
  },
];

/** A sum over the positions with a mark; unknown if there are none. */
function ofQuoted({ positions, unquoted }: Holding, sum: number): string {
  return unquoted === positions ? UNKNOWN : formatPnl(sum);
}

function Portfolio(): ReactNode {
  const positions = usePositions();
  if (positions.length === 0) return null;
  return (
    <section className={`${styles.wide} ${styles.table} ${styles.holdings}`}>
      <h3>By underlying</h3>
      <Rows
        label="Positions by underlying"
        items={holdingsBySymbol(positions)}
        keyOf={({ symbol }) => symbol}
        columns={HOLDING_COLUMNS}
      />
    </section>
  );
}
