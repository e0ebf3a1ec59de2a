/** Dark or light: the system's setting, unless the person chose. */

import { readKept, writeKept } from '../basics/kept.ts';

export const SCHEMES = ['auto', 'dark', 'light'] as const;
export type Scheme = (typeof SCHEMES)[number];

const KEPT = 'venue-scheme';

/** The choice made at this or an earlier visit. */
export function chosenScheme(): Scheme {
  const chosen = document.documentElement.dataset.scheme ?? readKept(() => localStorage, KEPT);
  return SCHEMES.find((one) => one === chosen) ?? 'auto';
}

/** Applies the colours, and stores them for the next visit if the browser has storage. */
export function chooseScheme(scheme: Scheme): void {
  show(scheme);
  writeKept(() => localStorage, KEPT, scheme);
}

/** Applies the last visit's colours before the first paint. */
export function restoreScheme(): void {
  show(chosenScheme());
}

function show(scheme: Scheme): void {
  document.documentElement.dataset.scheme = scheme;
  // An installed terminal has its colour on the window's frame too, where the page's own choice counts as well.
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    meta.dataset.of ??= meta.media.includes('dark') ? 'dark' : 'light';
    const isChosen = meta.dataset.of === scheme;
    meta.media =
      scheme === 'auto' ? `(prefers-color-scheme: ${meta.dataset.of})` : isChosen ? 'all' : 'not all';
  }
}
