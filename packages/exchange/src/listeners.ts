/** Tells several listeners what an entry did. */

import { type Effects, NO_EFFECTS } from '@venue/engine';

/** The effects that a listener wants to hear of. */
export type Listener = Partial<Effects>;

/** Tells each listener what it wants to hear of, in the order of the list. */
export function tellAll(listeners: readonly Listener[]): Effects {
  const names = Object.keys(NO_EFFECTS) as (keyof Effects)[];
  return Object.fromEntries(names.map((name) => [name, tellEach(name, listeners)])) as unknown as Effects;
}

type Tell = (...what: readonly unknown[]) => void;

function tellEach(name: keyof Effects, listeners: readonly Listener[]): Tell {
  const told = listeners.flatMap((listener) => (listener[name]?.bind(listener) as Tell | undefined) ?? []);
  return (...what) => {
    for (const tell of told) tell(...what);
  };
}
