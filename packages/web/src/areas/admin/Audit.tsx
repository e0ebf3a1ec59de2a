/** Every attempt to settle by hand, and whether the record of attempts is complete. */

import type { AuditEntry } from '@venue/protocol';
import { type FormEvent, type ReactNode, useState } from 'react';
import { formatExact, UNKNOWN } from '../../basics/numbers.ts';
import styles from './Admin.module.css';
import type { AdminConsole, Watched } from './admin-console.ts';
import { instantText } from './instant-text.ts';
import { Table } from './Table.tsx';

const SHOWN = 50;

interface Props {
  readonly watched: Watched;
  readonly desk: AdminConsole;
}

export function Audit({ watched: { audit, verdict }, desk }: Props): ReactNode {
  const [noted, setNoted] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const verify = async (event: FormEvent) => {
    event.preventDefault();
    setFault(null);
    await desk.verify(noted.trim()).catch((error: Error) => setFault(error.message));
  };
  return (
    <section className={`panel-box ${styles.wide}`} aria-label="Audit of hand settlements">
      <h2>
        Audit of hand settlements <span className={styles.count}>{audit.length}</span>
      </h2>
      {verdict !== null && <Verdict verdict={verdict} />}
      <form className={styles.head} onSubmit={verify}>
        <label htmlFor="noted-head">Recorded head</label>
        <input
          id="noted-head"
          autoComplete="off"
          spellCheck={false}
          pattern="\s*([0-9a-fA-F]{64})?\s*"
          title="64 hex digits"
          value={noted}
          onChange={(event) => setNoted(event.target.value)}
        />
        <button type="submit">Read all of it again and check</button>
      </form>
      {fault !== null && (
        <p className="fault" role="alert">
          {fault}
        </p>
      )}
      {audit.length > 0 && (
        <Table
          name="Attempts, newest first"
          heads={['Attempt', 'Time', 'By', 'What', 'Price', 'Anchor', 'Distance', 'Outcome']}
          left={['By', 'What']}
        >
          {audit
            .slice(-SHOWN)
            .toReversed()
            .map((entry) => (
              <AttemptRow key={entry.n} entry={entry} />
            ))}
        </Table>
      )}
    </section>
  );
}

function Verdict({ verdict }: { readonly verdict: NonNullable<Watched['verdict']> }): ReactNode {
  if ('fault' in verdict) {
    return (
      <p className="fault" role="alert">
        The chain is broken: {verdict.fault}.
      </p>
    );
  }
  const { count, firstN, head, hasNotedHead } = verdict;
  return (
    <>
      <p role="status">
        <strong className={styles.good}>Chain intact</strong>, {count} {count === 1 ? 'entry' : 'entries'}
        {firstN === null || firstN === 1 ? '' : ` from ${firstN} on`}; head{' '}
        <code className={styles.hash}>{head}</code>. Record it somewhere else.
      </p>
      {hasNotedHead === true && <p className={styles.good}>The recorded head is in it.</p>}
      {hasNotedHead === false && (
        <p className="fault" role="alert">
          The recorded head is missing: the audit was cut or rewritten since.
        </p>
      )}
    </>
  );
}

function AttemptRow({ entry }: { readonly entry: AuditEntry }): ReactNode {
  const { n, ts, by, price, anchor, deviationBps, boundBps, accepted, reason, gates } = entry;
  const gatesText = gates.map(({ gate, passed }) => `${gate}: ${GATE_TEXTS.get(passed)}`).join('\n');
  return (
    <tr>
      <th scope="row">{n}</th>
      <td>{instantText(ts)}</td>
      <td className={styles.left}>{by ?? UNKNOWN}</td>
      <td className={styles.left}>{targetText(entry)}</td>
      <td>{price === null ? UNKNOWN : formatExact(price)}</td>
      <td>{anchor === null ? UNKNOWN : formatExact(anchor)}</td>
      <td>{deviationBps === null ? UNKNOWN : `${deviationBps.toFixed(1)} of ${boundBps} bps`}</td>
      <td className={`${styles.left} ${accepted ? styles.good : 'warning'}`} title={gatesText}>
        {accepted ? acceptedText(entry) : `Refused: ${reason}`}
      </td>
    </tr>
  );
}

/** A proposal settles nothing by itself. */
function acceptedText({ step, by }: AuditEntry): string {
  if (step === undefined) return 'Accepted';
  const act = step.act === 'propose' ? 'Proposed' : 'Confirmed';
  return by === undefined ? `${act} with secret ${step.secret}` : act;
}

const GATE_TEXTS = new Map([
  [true, 'passed'],
  [false, 'shut'],
  [null, 'not checked'],
]);

const NAME_MAX = 60;
const UNPRINTABLE = /[^\x20-\x7e]/g;

/** These fields may come from an attacker: neutralises text direction and limits the length. */
function targetText({ action, terms, seriesId, symbol, expiryTs }: AuditEntry): string {
  if (action !== undefined) return `${action} ${terms}`.replace(UNPRINTABLE, '?');
  const name = seriesId ?? (symbol === null ? '' : `${symbol} ${expiryTs ?? ''}`);
  return name.replace(UNPRINTABLE, '?').slice(0, NAME_MAX) || 'nothing that can be read';
}
