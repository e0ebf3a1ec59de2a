/** A small i in a circle beside a heading or a choice: pressed, it explains in a sentence or two what few words cannot. */

import { type ReactNode, useId, useState } from 'react';
import './Term.css';

export interface InfoProps {
  /** What it explains, for those who do not see what it stands beside. */
  readonly about: string;
  readonly children: ReactNode;
}

/** The text exists only while it is shown, as that of a term does. */
export function Info({ about, children }: InfoProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <button type="button" className="info" popoverTarget={id} aria-label={`About ${about}`}>
        <span aria-hidden="true">i</span>
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
