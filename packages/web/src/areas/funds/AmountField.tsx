/** An amount field with its maximum, and room for an error. */

import { type ReactNode, useId } from 'react';
import { priceFieldText } from '../../basics/numbers.ts';
import styles from './Funds.module.css';

interface AmountFieldProps {
  readonly label: string;
  readonly typed: string;
  readonly setTyped: (text: string) => void;
  readonly fault: string | null;
  readonly symbol: string;
  readonly maxMicros: number | null;
}

export function AmountField({
  label,
  typed,
  setTyped,
  fault,
  symbol,
  maxMicros,
}: AmountFieldProps): ReactNode {
  const id = useId();
  const max = maxMicros === null ? null : priceFieldText(maxMicros / 1e6);
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        inputMode="decimal"
        autoComplete="off"
        value={typed}
        aria-invalid={fault !== null}
        aria-describedby={`${id}-note`}
        onChange={(event) => setTyped(event.target.value)}
      />
      <span className="muted">{symbol}</span>
      <p id={`${id}-note`} className={fault === null ? 'muted' : 'fault'}>
        {fault ?? (max === null ? ' ' : `Most: ${max}`)}
        {max !== null && (
          <button type="button" onClick={() => setTyped(max)} aria-label={`Max: ${label}, ${max}`}>
            Max
          </button>
        )}
      </p>
    </div>
  );
}
