/** The actions on a position or a strategy: close it, or roll it to the next expiry. */

import { type ReactNode, useRef } from 'react';
import { seriesLabel } from '../../market/series-label.ts';
import { useTerminal } from '../../terminal/terminal.ts';
import { useFocusToChain } from '../chain/use-focus-to-chain.ts';
import { canRoll } from '../order/core/tray/is-combo.ts';
import type { PositionRow } from './core/position-row.ts';
import type { StrategyRow } from './core/strategy-row.ts';
import type { StageOf } from './use-stage.ts';

/** Shown for a contract that can no longer be traded. */
const WAITS = { settling: 'Settling', review: 'In review' } as const;

interface PositionActsProps {
  readonly row: PositionRow | StrategyRow;
  readonly stageOf: StageOf;
}

export function PositionActs({ row, stageOf }: PositionActsProps): ReactNode {
  const legs = row.kind === 'strategy' ? row.legs.map(({ position }) => position) : [row.position];
  const waits = legs.map(stageOf).find((stage) => stage !== 'trading');
  if (waits !== undefined) return WAITS[waits];
  return row.kind === 'strategy' ? <StrategyButtons row={row} /> : <PositionButtons row={row} />;
}

function PositionButtons({ row: { position } }: { readonly row: PositionRow }): ReactNode {
  const { actions } = useTerminal();
  const { seriesId, qty } = position;
  return (
    <Buttons
      name={seriesLabel(seriesId)}
      strikes="its strike"
      onClose={() => actions.closePosition(seriesId, qty)}
      onRoll={() => actions.openTray((tray) => tray.roll([{ seriesId, qty }]))}
    />
  );
}

/** By one order for all legs. */
function StrategyButtons({ row: { name, legs } }: { readonly row: StrategyRow }): ReactNode {
  const { actions } = useTerminal();
  const held = legs.map(({ position }) => position);
  const parts = held.map(({ seriesId, qty }) => ({ seriesId, qty }));
  return (
    <Buttons
      name={name}
      strikes="its strikes"
      onClose={() => actions.openTray((tray) => tray.closeAll(parts))}
      onRoll={canRoll(held) ? () => actions.openTray((tray) => tray.roll(parts)) : null}
    />
  );
}

interface ButtonsProps {
  readonly name: string;
  readonly strikes: string;
  readonly onClose: () => void;
  /** Null where one order cannot. */
  readonly onRoll: (() => void) | null;
}

function Buttons({ name, strikes, onClose, onRoll }: ButtonsProps): ReactNode {
  const closeButton = useRef<HTMLButtonElement>(null);
  // Ticket and tray give the focus back to this button, often a moment before the closed position's row goes.
  useFocusToChain(closeButton);
  return (
    <>
      <button ref={closeButton} type="button" aria-label={`Close ${name}`} onClick={onClose}>
        Close…
      </button>{' '}
      {onRoll !== null && (
        <button
          type="button"
          aria-label={`Roll ${name}`}
          title={`To the next expiry with ${strikes}, by one order`}
          onClick={onRoll}
        >
          Roll…
        </button>
      )}
    </>
  );
}
