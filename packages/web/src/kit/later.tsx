/** Parts of the page loaded when first shown, inside a `Suspense`. */

import { type ComponentType, type LazyExoticComponent, lazy, type ReactNode } from 'react';

/** A part that fails to load says so, and breaks nothing else. */
export function later<P>(load: () => Promise<ComponentType<P>>): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => ({ default: await load().catch(() => Missing) }));
}

function Missing(): ReactNode {
  return <p>This part could not be loaded. If the venue was updated meanwhile, load the page again.</p>;
}

/** Shown while the part loads. */
export const LOADING: ReactNode = <p className="muted">Loading…</p>;
