/** A small i in a circle beside a heading or a choice: pressed, it explains in a sentence or two what few words cannot. */

import type { ReactNode } from 'react';
import { Explained } from './Explained.tsx';

export interface InfoProps {
  /** Its subject, for those who do not see what it stands beside. */
  readonly about: string;
  readonly children: ReactNode;
}

export function Info({ about, children }: InfoProps): ReactNode {
  return (
    <Explained className="info" label={`About ${about}`} button={<span aria-hidden="true">i</span>}>
      {children}
    </Explained>
  );
}
