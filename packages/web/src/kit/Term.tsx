/** A word of the trade with a dotted line: pressed, it explains itself in two sentences. */

import { type ReactNode, useId, useState } from 'react';
import { GLOSSARY, type GlossaryWord } from './glossary.ts';
import './Term.css';

export interface TermProps {
  readonly of: GlossaryWord;
  readonly children: ReactNode;
}

/** The text exists only while it is shown: a reader who searches the page finds the words on it, not their meanings. */
export function Term({ of, children }: TermProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <button type="button" className="term" popoverTarget={id}>
        {children}
      </button>
      <span
        id={id}
        popover="auto"
        className="term-text"
        onBeforeToggle={({ newState }) => setOpen(newState === 'open')}
      >
        {isOpen && GLOSSARY[of]}
      </span>
    </>
  );
}
