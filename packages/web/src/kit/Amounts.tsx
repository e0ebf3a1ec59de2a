/** A sentence whose amounts do not break: after its minus sign a line may end, in front of the dollars. */

import type { ReactNode } from 'react';
import { amountsApart } from '../basics/amounts-apart.ts';

export function Amounts({ text }: { readonly text: string }): ReactNode {
  return amountsApart(text).map((part, i) =>
    i % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no other name
      <span key={i} className="amount">
        {part}
      </span>
    ),
  );
}
