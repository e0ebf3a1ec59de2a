/** Sets an alert: what, above or below, and a level that is read as the ticket reads numbers. */

import { microsToDecimal, parseSeriesId } from '@venue/protocol';
import { type FormEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { AMOUNT_FAULTS, parseAmount } from '../../basics/numbers.ts';
import { focusField } from '../../kit/focus-field.ts';
import { seriesLabel } from '../../market/series-label.ts';
import { useStore } from '../../terminal/terminal.ts';
import { useAnnouncement } from '../../terminal/use-announcement.ts';
import type { WatchDesk } from './core/watch-desk.ts';
import { MEASURES, type Measure, type PriceAlert } from './core/watched.ts';
import { valueText } from './core/words.ts';
import styles from './Watch.module.css';

interface AlertFormProps {
  readonly desk: WatchDesk;
  /** A contract or an underlying. */
  readonly subject: string;
  readonly others: readonly (string | null)[];
  readonly onSubject: (name: string) => void;
}

/** The answer to the last attempt. */
interface Said {
  readonly text: string;
  readonly isFault: boolean;
}

const NAMES: Readonly<Record<Measure, string>> = {
  spot: 'Spot, $',
  mark: 'Mark, $',
  bid: 'Bid, $',
  ask: 'Ask, $',
  iv: 'IV, %',
};

export function AlertForm({ desk, subject, others, onSubject }: AlertFormProps): ReactNode {
  const isContract = parseSeriesId(subject) !== undefined;
  const measures = MEASURES.filter((one) => (one === 'spot') !== isContract);
  const [chosen, setMeasure] = useState<Measure>('mark');
  const measure = measures.find((one) => one === chosen) ?? measures[0]!;
  const [side, setSide] = useState<PriceAlert['side']>('above');
  const [level, setLevel] = useState('');
  const [said, setSaid] = useState<Said | null>(null);
  const isFault = said?.isFault === true;
  const levelField = useRef<HTMLInputElement>(null);
  useAsked(desk, levelField);
  const names = [...new Set([subject, ...others])].filter((name) => name !== null);
  useAnnouncement(said?.text ?? null);
  const set = async () => {
    const typed = parseAmount(level);
    if (!typed.ok || typed.micros === 0) {
      const text = typed.ok ? 'Enter a level above 0.' : AMOUNT_FAULTS[typed.fault];
      setSaid({ text, isFault: true });
      return;
    }
    const alert = { of: subject, measure, side, level: microsToDecimal(typed.micros) };
    const refused = await desk.setAlert(alert);
    setSaid({ text: refused ?? `Set: ${desk.words(alert)}.`, isFault: refused !== null });
    if (refused === null) setLevel('');
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void set();
  };
  const now = desk.valueOf(subject, measure);
  return (
    <form className={styles.alertForm} aria-label="New price alert" onSubmit={onSubmit}>
      <Choice
        label="Of"
        value={subject}
        options={names.map((one) => [one, seriesLabel(one)])}
        onChoose={onSubject}
      />
      <Choice
        label="What"
        value={measure}
        options={measures.map((one) => [one, NAMES[one]])}
        onChoose={(one) => setMeasure(one as Measure)}
      />
      <Choice
        label="Is"
        value={side}
        options={[
          ['above', 'above'],
          ['below', 'below'],
        ]}
        onChoose={(one) => setSide(one as PriceAlert['side'])}
      />
      <label>
        Level
        <input
          ref={levelField}
          inputMode="decimal"
          autoComplete="off"
          value={level}
          placeholder={Number.isNaN(now) ? '' : valueText(measure, now)}
          onChange={(event) => setLevel(event.target.value)}
          aria-invalid={isFault}
        />
      </label>
      <button type="submit">Set alert</button>
      <p className={isFault ? 'fault' : 'muted'}>{said?.text}</p>
    </form>
  );
}

/** Brings the form into sight, with the words under it, when it was asked for elsewhere. */
function useAsked(desk: WatchDesk, level: RefObject<HTMLInputElement | null>): void {
  const isFresh = useStore(desk.asked, (asked) => asked.isFresh);
  useEffect(() => {
    if (!isFresh || level.current === null) return;
    focusField(level.current);
    level.current.form?.scrollIntoView({ block: 'nearest' });
    desk.asked.setState({ isFresh: false });
  }, [desk, isFresh, level]);
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onChoose: (value: string) => void;
}

function Choice({ label, value, options, onChoose }: ChoiceProps): ReactNode {
  const id = useId();
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChoose(event.target.value)}>
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
