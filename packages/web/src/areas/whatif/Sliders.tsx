/** Spot, volatility, and days: each a slider, the days with a stop at every expiry of the book. */

import { type ReactNode, useId } from 'react';
import { expiryLabel } from '../../basics/dates.ts';
import { formatAxis, formatChange, formatPrice } from '../../basics/numbers.ts';
import type { Book } from './core/book.ts';
import { expiriesOf, SPOT_MAX, VOL_MAX, VOL_MIN } from './core/survey.ts';
import { type Imagined, PRESENT } from './core/what-if.ts';
import styles from './WhatIf.module.css';

/** A date that is an expiry stays on it while time passes. */
export interface Chosen extends Imagined {
  readonly expiryTs?: number | null;
}

/** Steps of the sliders in a day. */
const STEPS_PER_DAY = 4;

interface SlidersProps {
  readonly book: Book;
  readonly at: Imagined;
  readonly onChange: (change: Partial<Chosen>) => void;
}

export function Sliders({ book, at, onChange }: SlidersProps): ReactNode {
  const expiries = expiriesOf(book);
  const last = expiries.at(-1)?.days ?? 0;
  const isPresent = at.spot === 0 && at.vol === 0 && at.days === 0;
  const dates = useId();
  return (
    <fieldset className={styles.sliders} aria-label="Imagined market">
      <Slider
        label="Spot"
        value={at.spot * 100}
        bounds={[-SPOT_MAX * 100, SPOT_MAX * 100, 0.5]}
        words={`${formatChange(at.spot)}${spotWords(book, at.spot)}`}
        onChange={(percent) => onChange({ spot: percent / 100 })}
      />
      <Slider
        label="Volatility"
        value={at.vol * 100}
        bounds={[VOL_MIN * 100, VOL_MAX * 100, 1]}
        words={`${at.vol > 0 ? '+' : ''}${formatAxis(at.vol * 100, 0)} points`}
        onChange={(points) => onChange({ vol: points / 100 })}
      />
      <Slider
        label="Days from now"
        value={at.days}
        bounds={[0, Math.ceil(last * STEPS_PER_DAY) / STEPS_PER_DAY, 1 / STEPS_PER_DAY]}
        words={at.days === 0 ? 'now' : `${formatAxis(at.days, 1)} d, ${dateWords(book.atMs, at.days)}`}
        onChange={(days) => onChange({ days, expiryTs: null })}
      />
      <fieldset className={styles.stops} aria-labelledby={dates}>
        <span id={dates} className="muted">
          To expiry
        </span>
        {expiries.map(({ expiryTs, days }) => (
          <button
            key={expiryTs}
            type="button"
            className="chip"
            aria-pressed={days === at.days}
            onClick={() => onChange({ expiryTs })}
          >
            {expiryLabel(expiryTs!, book.atMs)}
          </button>
        ))}
      </fieldset>
      <button
        type="button"
        className="chip"
        disabled={isPresent}
        onClick={() => onChange({ ...PRESENT, expiryTs: null })}
      >
        Back to the present
      </button>
    </fieldset>
  );
}

interface SliderProps {
  readonly label: string;
  readonly value: number;
  readonly bounds: readonly [min: number, max: number, step: number];
  /** The value as it is read out and shown. */
  readonly words: string;
  readonly onChange: (value: number) => void;
}

function Slider({ label, value, bounds: [min, max, step], words, onChange }: SliderProps): ReactNode {
  const id = useId();
  return (
    <div className={styles.slider}>
      <label htmlFor={id}>{label}</label>
      <span aria-hidden="true">{words}</span>
      <input
        {...{ id, min, max, step, value }}
        type="range"
        aria-valuetext={words}
        onChange={({ target }) => onChange(Number(target.value))}
      />
    </div>
  );
}

/** The imagined price, where the book has one underlying. */
function spotWords({ spots }: Book, move: number): string {
  const [spot, ...others] = Object.values(spots);
  if (spot === undefined || others.length > 0) return '';
  return ` · ${formatPrice((spot / 1e6) * (1 + move))}`;
}

function dateWords(atMs: number, days: number): string {
  return expiryLabel(Math.floor(atMs / 1_000 + days * 86_400), atMs);
}
