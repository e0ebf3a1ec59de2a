/** Colours, for terminals only. */

const CODES = { bold: '1', dim: '2', red: '31', green: '32', yellow: '33' } as const;

export type Style = keyof typeof CODES;

/** Applies a style to a text, or returns the text unchanged. */
export type Paint = (text: string, style: Style | undefined) => string;

/** Styles by escape sequences. */
export const coloured: Paint = (text, style) =>
  style === undefined || text === '' ? text : `\x1b[${CODES[style]}m${text}\x1b[0m`;

/** No styles. */
export const colourless: Paint = (text) => text;

/** Gains are green and losses red. */
export function gainStyle(value: number): Style | undefined {
  if (value === 0) return undefined;
  return value > 0 ? 'green' : 'red';
}

/** Bids and buys are green, asks and sells red. */
export function sideStyle(side: string): Style {
  return side === 'buy' ? 'green' : 'red';
}
