/** Downloads the statement: every movement of cash in a range of days, as CSV. */

import { type FormEvent, type ReactNode, useState } from 'react';
import { dayAfterMs, dayMs, dayOf } from '../../basics/days.ts';
import { useTerminal } from '../../terminal/terminal.ts';
import { useAnnouncement } from '../../terminal/use-announcement.ts';
import styles from './Positions.module.css';

const DAYS = 30;
const DAY_MS = 86_400_000;

export function Statement(): ReactNode {
  const { client } = useTerminal();
  const [from, setFrom] = useState(() => dayOf(Date.now() - DAYS * DAY_MS));
  const [to, setTo] = useState(() => dayOf(Date.now()));
  const [message, setMessage] = useState<string | null>(null);
  useAnnouncement(message);
  const download = async (event: FormEvent) => {
    event.preventDefault();
    setMessage('Reading…');
    try {
      const csv = await client.account.statementCsv({ from: dayMs(from), to: dayAfterMs(to) });
      saveFile(`statement ${from} to ${to}.csv`, csv);
      const rows = csv.trimEnd().split('\r\n').length - 1;
      setMessage(`${rows} ${rows === 1 ? 'row' : 'rows'} saved.`);
    } catch (error) {
      setMessage(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <form className={styles.statement} onSubmit={(event) => void download(event)}>
      <label>
        Statement from
        <input type="date" value={from} max={to} required onChange={(event) => setFrom(event.target.value)} />
      </label>
      <label>
        to
        <input type="date" value={to} min={from} required onChange={(event) => setTo(event.target.value)} />
      </label>
      <button type="submit">Download CSV</button>
      <span className="muted">{message}</span>
    </form>
  );
}

function saveFile(name: string, csv: string): void {
  const url = URL.createObjectURL(new Blob([csv], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // By then the browser has started the download.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
