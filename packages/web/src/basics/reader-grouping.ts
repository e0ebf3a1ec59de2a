/** Grouping of numbers in the languages of the reader's browser (TERM-23). */

/** Large enough for languages that group from five digits on. */
const SAMPLE = 1_234_567;

/**
 * True if one of these languages groups thousands by points, in plain numbers or in money, so that a reader of it may
 * mean 1250 by `1.250`.
 *
 * @example groupsByPoints(['en-US', 'de']) // true
 */
export function groupsByPoints(languages: readonly string[]): boolean {
  return languages.some((language) => groupOf(language, {}) || groupOf(language, MONEY));
}

const MONEY = { style: 'currency', currency: 'USD' } as const;

function groupOf(language: string, options: Intl.NumberFormatOptions): boolean {
  try {
    const parts = new Intl.NumberFormat(language, options).formatToParts(SAMPLE);
    return parts.some(({ type, value }) => type === 'group' && value === '.');
  } catch {
    // Some systems give browsers a name that is no language's.
    return false;
  }
}

/** True if the reader of this page may, by any language of the browser, which does not say which one is meant. */
export const READER_GROUPS_BY_POINTS = groupsByPoints(globalThis.navigator?.languages ?? []);
