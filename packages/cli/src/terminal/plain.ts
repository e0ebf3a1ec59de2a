/** Makes text from strangers harmless for a terminal. */

const UNPRINTABLE = /[^\x20-\x7e\u00a1-\ud7ff\uf900-\ufffd]/g;
/** Marks that change the direction or the position of what follows. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f]|[\u0300-\u036f]/g;

/**
 * The text with every character escaped that could control a terminal or hide text. Everything that strangers name
 * (price sources, reasons, series) is shown through it.
 *
 * @example plain('a\x1b[2J') // 'a\\u001b[2J'
 */
export function plain(text: string): string {
  const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replace(UNPRINTABLE, escaped).replace(INVISIBLE, escaped);
}
