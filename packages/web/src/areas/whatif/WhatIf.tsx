/** The whole book in a market that is only imagined: sliders, what the account would be, and a table of spots by dates. */

import { type ReactNode, useRef, useState } from 'react';
import { LOADING } from '../../kit/later.tsx';
import { Own } from '../../kit/Own.tsx';
import { useIsNarrow } from '../../kit/use-size.ts';
import type { Book } from './core/book.ts';
import { expiriesOf } from './core/survey.ts';
import { type Imagined, PRESENT } from './core/what-if.ts';
import { HeatTable } from './HeatTable.tsx';
import { Outlook } from './Outlook.tsx';
import { type Chosen, Sliders } from './Sliders.tsx';
import { useBook } from './use-book.ts';
import { useWhatIf } from './use-what-if.ts';
import styles from './WhatIf.module.css';

/** With less room the table has its spots one below the other. */
const TABLE_ACROSS_PX = 620;

export function WhatIf(): ReactNode {
  return (
    <Own what="what moves of the market would make of what you hold">
      <OwnBook />
    </Own>
  );
}

function OwnBook(): ReactNode {
  const { book, isOld } = useBook();
  if (book === null)
    return isOld ? <p className="muted">The venue does not answer. Trying again.</p> : LOADING;
  if (!book.lines.some(({ qtyMicros }) => qtyMicros !== 0))
    return (
      <p className="muted">
        No open positions. Once you hold some, this is what moves of the market would make of them.
      </p>
    );
  return <WholeBook book={book} isOld={isOld} />;
}

interface WholeBookProps {
  readonly book: Book;
  readonly isOld: boolean;
}

function WholeBook({ book, isOld }: WholeBookProps): ReactNode {
  const frame = useRef<HTMLDivElement>(null);
  const isNarrow = useIsNarrow(frame, TABLE_ACROSS_PX);
  const [chosen, setChosen] = useState<Chosen>(PRESENT);
  const at = imaginedAt(book, chosen);
  const { answer, survey, hasFailed } = useWhatIf(book, at);
  if (hasFailed)
    return <p className="muted">This browser could not start the calculation. Load the page again.</p>;
  return (
    <div ref={frame} className={styles.whatIf} data-is-narrow={isNarrow || undefined}>
      <div className={styles.parts}>
        <Sliders book={book} at={at} onChange={(change) => setChosen({ ...chosen, ...change })} />
        {answer !== null && <Outlook answer={answer} calls={survey?.calls ?? null} isOld={isOld} />}
        {survey !== null && <HeatTable {...survey} atMs={book.atMs} isNarrow={isNarrow} />}
      </div>
    </div>
  );
}

function imaginedAt(book: Book, { spot, vol, days, expiryTs }: Chosen): Imagined {
  const expiries = expiriesOf(book);
  const expiry = expiries.find((one) => one.expiryTs === expiryTs);
  return { spot, vol, days: expiry?.days ?? Math.min(days, expiries.at(-1)?.days ?? 0) };
}
