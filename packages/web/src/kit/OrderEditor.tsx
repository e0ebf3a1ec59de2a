/** An order's row while it is edited in place: two fields over its cells, and under them what a press does. */

import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { effectText, readEdit } from '../areas/book/core/order-edit.ts';
import { faultText, parseAmount } from '../basics/numbers.ts';
import { seriesLabel } from '../market/series-label.ts';
import { stepOf, stepped } from '../market/step.ts';
import type { OrderEditing } from '../terminal/use-order-edit.ts';
import './OrderEditor.css';

interface EditProps {
  readonly editing: OrderEditing;
}

interface EditFieldProps extends EditProps {
  readonly name: 'qty' | 'price';
  /** The cell's text, which keeps its column as wide as it is. */
  readonly was: string;
}

/** Enter saves, Escape leaves the order as it is, and the arrows move the value as they do in the ticket. */
export function EditField({ editing, name, was }: EditFieldProps): ReactNode {
  const field = useRef<HTMLInputElement>(null);
  const { edit, isSending } = editing;
  // The price is what is changed most often.
  useEffect(() => {
    if (name === 'price') field.current?.select();
  }, [name]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = stepOf(event);
    if (event.key === 'Enter') editing.save();
    else if (event.key === 'Escape') editing.end();
    else if (step !== null && !isSending) editing.type({ [name]: stepped(name, edit[name], step) });
    else return;
    event.preventDefault();
  };
  const label = name === 'price' ? 'New limit price' : 'New quantity, what has filled included';
  return (
    <>
      <span className="edited-text" aria-hidden="true">
        {was}
      </span>
      <input
        ref={field}
        className="edit-field"
        name={`new-${name}`}
        aria-label={label}
        aria-describedby={effectIdOf(editing)}
        inputMode="decimal"
        autoComplete="off"
        maxLength={40}
        value={edit[name]}
        readOnly={isSending}
        aria-invalid={faultText(parseAmount(edit[name])) !== null}
        onChange={({ target }) => editing.type({ [name]: target.value })}
        onKeyDown={onKeyDown}
      />
    </>
  );
}

/** Describes both fields and the button. */
function effectIdOf({ edit }: OrderEditing): string {
  return `effect-on-${edit.order.id}`;
}

export function EditActs({ editing }: EditProps): ReactNode {
  const { edit, isSending, isAsked, said } = editing;
  const { kind } = readEdit(edit);
  const id = effectIdOf(editing);
  const verb = kind === 'end' ? 'Cancel the rest' : isAsked ? 'Change anyway' : 'Change';
  const of = `order ${edit.order.id}, ${seriesLabel(edit.order.seriesId)}`;
  return (
    <div className="edit-acts">
      <button
        type="button"
        aria-describedby={id}
        aria-label={`${verb}: ${of}`}
        disabled={kind === 'unreadable' || kind === 'unchanged' || isSending}
        onClick={editing.save}
      >
        {isSending ? 'Sending…' : verb}
      </button>
      <button type="button" aria-label={`Leave it: ${of}`} onClick={editing.end}>
        Leave it
      </button>
      <p id={id}>
        {said.map((one) => (
          <strong key={one} className="warning">
            {one}{' '}
          </strong>
        ))}
        {!isAsked && <span className="muted">{effectText(edit)}</span>}
      </p>
    </div>
  );
}
