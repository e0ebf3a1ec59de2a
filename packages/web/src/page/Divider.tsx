/** The edge of a part that can be dragged, moved by arrow keys, or folded away. */

import type { KeyboardEvent, PointerEvent, ReactNode } from 'react';
import { withinPx } from '../view/room.ts';
import styles from './Divider.module.css';

export interface DividerProps {
  /** The size that it sets: `Width of the charts`. */
  readonly label: string;
  readonly className: string;
  /** Upright between columns, flat between rows. */
  readonly direction: 'upright' | 'flat';
  /** The part whose size it sets: its left or lower edge stays where it is. */
  readonly part: string;
  /** In pixels; null where the page divides the screen itself. */
  readonly px: number | null;
  readonly bounds: () => { readonly least: number; readonly most: number };
  readonly onSize: (px: number) => void;
  readonly onFold: () => void;
}

const KEY_PX = 24;

export function Divider(props: DividerProps): ReactNode {
  const { label, className, direction, onFold } = props;
  const isUpright = direction === 'upright';
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const box = boxOf(props.part);
    setSize(props, isUpright ? event.clientX - box.left : box.bottom - event.clientY);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = stepOf(event.key, isUpright);
    if (event.key === 'Enter') onFold();
    else if (step === null) return;
    else {
      const box = boxOf(props.part);
      setSize(props, (isUpright ? box.width : box.height) + step);
    }
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved
    <div
      className={`${styles.divider} ${className}`}
      role="separator"
      aria-label={label}
      aria-orientation={isUpright ? 'vertical' : 'horizontal'}
      aria-valuenow={props.px ?? 0}
      aria-valuetext={props.px === null ? 'As the page divides it' : `${props.px} pixels`}
      title="Drag, or double-click to fold away"
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
      onDoubleClick={onFold}
      onKeyDown={onKeyDown}
    />
  );
}

function boxOf(part: string): DOMRect {
  return document.querySelector(part)?.getBoundingClientRect() ?? new DOMRect();
}

function setSize({ bounds, onSize }: DividerProps, px: number): void {
  onSize(withinPx(px, bounds()));
}

/** Arrows away from the fixed edge make the part larger. */
function stepOf(key: string, isUpright: boolean): number | null {
  if (key === (isUpright ? 'ArrowRight' : 'ArrowUp')) return KEY_PX;
  return key === (isUpright ? 'ArrowLeft' : 'ArrowDown') ? -KEY_PX : null;
}
