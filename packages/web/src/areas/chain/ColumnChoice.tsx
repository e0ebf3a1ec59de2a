/** The choice of columns: which, and in which order. Every change shows at once, and is kept. */

import { type ReactNode, useEffect, useId, useState } from 'react';
import { POSITION_NAMES, USUAL_POSITIONS } from '../../kit/position-columns.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { CHAIN_CHOICES, type ChainChoice, POSITION_CHOICES } from '../../view/columns.ts';
import { MEANINGS } from './chain-columns.ts';

/** The usual ones, from which a choice begins. */
const USUAL_CHAIN = ['mark', 'iv', 'delta', 'size', 'volume', 'oi'] as const;

export interface ColumnChoiceProps {
  readonly of: 'chain' | 'positions';
}

export function ChainColumns(): ReactNode {
  const { stores } = useTerminal();
  const chosen = useStore(stores.columns, ({ chain }) => chain);
  return (
    <Choice
      hint={chosen === null ? 'The usual ones, as far as there is room.' : 'From the strike outwards.'}
      all={CHAIN_CHOICES}
      chosen={chosen ?? USUAL_CHAIN}
      nameOf={(one) => (one === 'size' ? 'sizes' : MEANINGS[one][0])}
      onChoose={(chain) => stores.columns.setState({ chain })}
      isUsual={chosen === null}
      hasRoom={useHasRoom()}
    />
  );
}

/** Tells which columns the chain on the screen shows, of those that are chosen; again with each change. */
function useHasRoom(): (one: ChainChoice) => boolean {
  const [shown, setShown] = useState<ReadonlySet<ChainChoice> | null>(null);
  useEffect(() => {
    const frame = document.querySelector('.chain-frame');
    const head = frame?.querySelector('.chain thead');
    if (!frame || !head) return undefined;
    const look = () => setShown(new Set(CHAIN_CHOICES.filter((one) => isShown(head, one))));
    const sizes = new ResizeObserver(look);
    sizes.observe(frame);
    const places = new MutationObserver(look);
    places.observe(head, { childList: true, subtree: true });
    return () => {
      sizes.disconnect();
      places.disconnect();
    };
  }, []);
  return (one) => shown === null || shown.has(one);
}

function isShown(head: Element, one: ChainChoice): boolean {
  const cell = head.querySelector(`.${one === 'size' ? 'bidQty' : one}`);
  return cell !== null && cell.getClientRects().length > 0;
}

export function PositionColumns(): ReactNode {
  const { stores } = useTerminal();
  const chosen = useStore(stores.columns, ({ positions }) => positions);
  return (
    <Choice
      hint="From left to right, after the contract and the position."
      all={POSITION_CHOICES}
      chosen={chosen ?? USUAL_POSITIONS}
      nameOf={(one) => POSITION_NAMES[one]}
      onChoose={(positions) => stores.columns.setState({ positions })}
      isUsual={chosen === null}
    />
  );
}

interface ChoiceProps<T extends string> {
  readonly hint: string;
  readonly all: readonly T[];
  readonly chosen: readonly T[];
  readonly nameOf: (one: T) => string;
  /** Null for the usual ones. */
  readonly onChoose: (chosen: readonly T[] | null) => void;
  readonly isUsual: boolean;
  /** False for a chosen one that is left out. */
  readonly hasRoom?: (one: T) => boolean;
}

function Choice<T extends string>({
  hint,
  all,
  chosen,
  nameOf,
  onChoose,
  isUsual,
  hasRoom = () => true,
}: ChoiceProps<T>): ReactNode {
  const id = useId();
  const rest = all.filter((one) => !chosen.includes(one));
  return (
    <>
      <p className="muted">{hint}</p>
      <ul>
        {[...chosen, ...rest].map((one) => {
          const place = chosen.indexOf(one);
          const name = nameOf(one);
          const isLeftOut = place >= 0 && !hasRoom(one);
          return (
            <li key={one} data-is-left-out={isLeftOut || undefined}>
              <label>
                <input
                  type="checkbox"
                  aria-describedby={isLeftOut ? `${id}-${one}` : undefined}
                  checked={place >= 0}
                  onChange={() =>
                    onChoose(place < 0 ? [...chosen, one] : chosen.filter((other) => other !== one))
                  }
                />
                <span>{name}</span>
              </label>
              {isLeftOut && (
                <small id={`${id}-${one}`} className="muted">
                  no room at this width
                </small>
              )}
              <MoveButton {...{ name, chosen, place, onChoose }} by={-1} />
              <MoveButton {...{ name, chosen, place, onChoose }} by={1} />
            </li>
          );
        })}
      </ul>
      <button type="button" className="chip" disabled={isUsual} onClick={() => onChoose(null)}>
        The usual ones
      </button>
    </>
  );
}

interface MoveButtonProps<T extends string> extends Pick<ChoiceProps<T>, 'chosen' | 'onChoose'> {
  readonly name: string;
  /** Among the chosen; negative for one that is not. */
  readonly place: number;
  readonly by: 1 | -1;
}

function MoveButton<T extends string>({ name, chosen, place, by, onChoose }: MoveButtonProps<T>): ReactNode {
  const canMove = place >= 0 && place + by >= 0 && place + by < chosen.length;
  const move = () => {
    const moved = [...chosen];
    moved.splice(place + by, 0, ...moved.splice(place, 1));
    onChoose(moved);
  };
  return (
    <button
      type="button"
      className="bare"
      aria-label={`Move ${name} ${by < 0 ? 'up' : 'down'}`}
      // Not disabled, so that the focus stays on it.
      aria-disabled={!canMove}
      onClick={canMove ? move : undefined}
    >
      {by < 0 ? '↑' : '↓'}
    </button>
  );
}
