/** What the lines of a chart are: each told by its dashes and not by its colour alone. */

import type { ReactNode } from 'react';

export interface LegendEntry {
  readonly name: string;
  /** Its line is drawn with this class, in the picture as here. */
  readonly className: string;
}

export function Legend({
  entries,
  children,
}: {
  readonly entries: readonly LegendEntry[];
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <div className="legend">
      <ul>
        {entries.map(({ name, className }) => (
          <li key={name}>
            <svg width="28" height="8" aria-hidden="true">
              <line className={className} x1="0" x2="28" y1="4" y2="4" />
            </svg>
            {name}
          </li>
        ))}
      </ul>
      {children}
    </div>
  );
}
