/** A table that scrolls by itself where the page is narrow. */

import type { ReactNode } from 'react';

interface TableProps {
  /** For those who do not see what stands around it. */
  readonly name: string;
  readonly heads: readonly string[];
  readonly children: ReactNode;
}

export function Table({ name, heads, children }: TableProps): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and is reached by the keyboard to do so
    <section className="admin-scroll" aria-label={name} tabIndex={0}>
      <table className="admin-table">
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}
