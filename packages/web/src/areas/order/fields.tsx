/** The fields of an order, in ticket and tray. */

import { type ReactNode, type RefObject, useId } from 'react';
import { faultText, parseAmount } from '../../basics/numbers.ts';
import { stepOf, stepped } from '../../market/step.ts';
import type { Order } from './core/form/order.ts';
import './fields.css';

interface SwitchProps<T extends string> {
  readonly name: string;
  readonly options: Readonly<Record<T, string>>;
  readonly chosen: T;
  readonly onChoose: (option: T) => void;
}

export function Switch<T extends string>({ name, options, chosen, onChoose }: SwitchProps<T>): ReactNode {
  const group = useId();
  return (
    <fieldset className="switch">
      <legend className="visually-hidden">{name}</legend>
      {(Object.keys(options) as T[]).map((one) => (
        <label key={one} className={one}>
          <input type="radio" name={group} checked={one === chosen} onChange={() => onChoose(one)} />
          {options[one]}
        </label>
      ))}
    </fieldset>
  );
}

interface AmountFieldProps {
  readonly of: 'qty' | 'price';
  readonly label: string;
  readonly unit: string;
  readonly value: string;
  readonly isSent: boolean;
  /** Advice that names this field marks it. */
  readonly advice?: Order['advice'];
  readonly isZeroFine?: boolean;
  readonly fieldRef?: RefObject<HTMLInputElement | null>;
  readonly onType: (text: string) => void;
}

export function AmountField(props: AmountFieldProps): ReactNode {
  const { of, label, unit, value, isSent, advice = null, isZeroFine = false, fieldRef, onType } = props;
  const id = useId();
  const typed = parseAmount(value);
  const isFine = value === '' || (isZeroFine && typed.ok);
  const fault = isFine ? null : faultText(typed);
  const isMarked = advice?.advice.kind === 'mark-field' && advice.advice.field === of;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        {...{ id, name: of, value, ref: fieldRef }}
        inputMode="decimal"
        autoComplete="off"
        maxLength={40}
        readOnly={isSent}
        aria-invalid={isMarked || fault !== null}
        onChange={({ target }) => onType(target.value)}
        onKeyDown={(event) => {
          const step = stepOf(event);
          if (step === null) return;
          event.preventDefault();
          onType(stepped(of, value, step));
        }}
      />
      <span className="unit">{unit}</span>
      {fault !== null && <span className="fault">{fault}</span>}
    </div>
  );
}
