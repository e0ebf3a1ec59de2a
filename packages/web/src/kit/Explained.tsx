/** A button that explains itself when it is pressed, in a text beside it. */

import { type ReactNode, useId, useState } from 'react';
import './Explained.css';

export interface ExplainedProps {
  readonly className: string;
  /** The name of the button, where its picture is no word. */
  readonly label?: string;
  readonly button: ReactNode;
  readonly children: ReactNode;
}

/** The text exists only while it is shown: a reader who searches the page finds the words on it, not their meanings. */
export function Explained({ className, label, button, children }: ExplainedProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <button type="button" className={className} popoverTarget={id} aria-label={label}>
        {button}
      </button>
      <span
        id={id}
        popover="auto"
        className="term-text"
        onBeforeToggle={({ newState }) => setOpen(newState === 'open')}
      >
        {isOpen && children}
      </span>
    </>
  );
}
