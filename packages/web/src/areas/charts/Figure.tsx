/** The frame of every chart: a sentence that sums it up, the picture, and the same data as a table. */

import { type ReactNode, useRef, useState } from 'react';
import { Rows, type RowsProps } from '../../kit/Rows.tsx';
import styles from './Charts.module.css';
import { type Size, useSize } from './use-size.ts';

export interface FigureProps<T> {
  /** The chart's title: `BTC, price of the underlying`. */
  readonly title: string;
  /** A summary, for sighted readers and screen readers alike. */
  readonly sentence: string;
  /** True where the picture's own readout says the same to the eye: the sentence is for screen readers then. */
  readonly isReadOff?: boolean;
  /** Placed between the sentence and the picture: legend and choices. */
  readonly legend?: ReactNode;
  readonly table: Pick<RowsProps<T>, 'items' | 'keyOf' | 'columns'>;
  /** Draws the picture at the given size. */
  readonly children: (size: Size) => ReactNode;
  readonly foot?: ReactNode;
}

export function Figure<T>(props: FigureProps<T>): ReactNode {
  const { title, sentence, isReadOff = false, legend, table, children, foot } = props;
  const [isTable, setTable] = useState(false);
  return (
    <figure className={styles.figure} aria-label={title}>
      <figcaption>
        <div className={styles.words}>
          <strong>{title}</strong>{' '}
          <span className={isReadOff ? `${styles.sentence} visually-hidden` : styles.sentence}>
            {sentence}
          </span>
        </div>
        <button
          type="button"
          className={styles.asTable}
          aria-pressed={isTable}
          aria-label="As a table"
          title="As a table"
          onClick={() => setTable(!isTable)}
        >
          <svg width="16" height="16" aria-hidden="true">
            <path d="M1.5 2.5h13v11h-13zM1.5 6.5h13M1.5 10.5h13M6.5 2.5v11" />
          </svg>
        </button>
        {legend}
        {foot}
      </figcaption>
      {isTable ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and is reached by the keyboard to do so
        <section className={styles.figureTable} tabIndex={0} aria-label={`${title}, as a table`}>
          <Rows label={title} {...table} />
        </section>
      ) : (
        <Picture>{children}</Picture>
      )}
    </figure>
  );
}

/** Draws once the size is known, and again when it changes. */
function Picture({ children }: Pick<FigureProps<never>, 'children'>): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const size = useSize(box);
  return (
    <div className={styles.picture} ref={box}>
      {size.width > 0 && size.height > 0 && children(size)}
    </div>
  );
}

/** Shown instead of a chart without data, with the reason. */
export function Nothing({ children }: { readonly children: ReactNode }): ReactNode {
  return <p className={`${styles.noFigure} muted`}>{children}</p>;
}
