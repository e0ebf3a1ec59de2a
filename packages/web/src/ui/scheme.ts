/** Dark or light: as the system has it, unless the person chose. */

export const SCHEMES = ['auto', 'dark', 'light'] as const;
export type Scheme = (typeof SCHEMES)[number];

const KEPT = 'venue-scheme';

/** What was chosen at this or an earlier visit. */
export function chosenScheme(): Scheme {
  const chosen = document.documentElement.dataset.scheme ?? kept();
  return SCHEMES.find((one) => one === chosen) ?? 'auto';
}

/** Takes the colours now, and at the next visit too where the browser keeps anything. */
export function chooseScheme(scheme: Scheme): void {
  show(scheme);
  try {
    localStorage.setItem(KEPT, scheme);
  } catch {
    // Storage is refused: the choice lasts as long as the page.
  }
}

/** Before anything is drawn: the colours of the last visit. */
export function restoreScheme(): void {
  show(chosenScheme());
}

function show(scheme: Scheme): void {
  document.documentElement.dataset.scheme = scheme;
}

function kept(): string | null {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}
