/** A word of the trade with a dotted line: pressed, it explains itself in two sentences. */

import type { ReactNode } from 'react';
import { Explained } from './Explained.tsx';
import { GLOSSARY, type GlossaryWord } from './glossary.ts';

export interface TermProps {
  readonly of: GlossaryWord;
  readonly children: ReactNode;
}

export function Term({ of, children }: TermProps): ReactNode {
  return (
    <Explained className="term" button={children}>
      {GLOSSARY[of]}
    </Explained>
  );
}
