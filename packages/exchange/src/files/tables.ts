/** The tables of a day: their columns, and how a value reads in each format (FIL-1). */

/** Microunits, Unix milliseconds or a count; text; null where the row has none. */
export type Cell = number | string | null;

/** `amount` is a decimal given in micros, `time` an instant given in Unix ms. */
export type ColumnKind = 'count' | 'time' | 'text' | 'amount';

export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly isNullable?: true;
}

/** One value for each column. */
export type Row = readonly Cell[];

export const TABLES = {
  trades: [
    { name: 'id', kind: 'count' },
    { name: 'time', kind: 'time' },
    { name: 'seriesId', kind: 'text' },
    { name: 'symbol', kind: 'text' },
    { name: 'side', kind: 'text' },
    { name: 'qty', kind: 'amount' },
    { name: 'price', kind: 'amount' },
    { name: 'self', kind: 'count' },
  ],
  'candles-1m': [
    { name: 'kind', kind: 'text' },
    { name: 'name', kind: 'text' },
    { name: 'time', kind: 'time' },
    { name: 'open', kind: 'amount' },
    { name: 'high', kind: 'amount' },
    { name: 'low', kind: 'amount' },
    { name: 'close', kind: 'amount' },
    { name: 'volume', kind: 'amount', isNullable: true },
  ],
  settlements: [
    { name: 'symbol', kind: 'text' },
    { name: 'expiry', kind: 'time' },
    { name: 'time', kind: 'time' },
    { name: 'price', kind: 'amount' },
    { name: 'by', kind: 'text' },
    { name: 'dispersionBps', kind: 'amount', isNullable: true },
  ],
} as const satisfies Readonly<Record<string, readonly Column[]>>;

export type TableName = keyof typeof TABLES;
export const TABLE_NAMES = Object.keys(TABLES) as readonly TableName[];

/** Extensions of the formats, in the order in which a day's files are listed. */
export const FORMATS = ['csv', 'parquet'] as const;

export type DataFileName = `${TableName}.${(typeof FORMATS)[number]}`;

/** The files of a day, in the order of their names. */
export const DATA_FILES: readonly DataFileName[] = TABLE_NAMES.flatMap((table) =>
  FORMATS.map((format): DataFileName => `${table}.${format}`),
).sort();

/** Lists the hashes of the others, for `sha256sum -c`. */
export const SUMS_FILE = 'SHA256SUMS';

export const DAY_MS = 86_400_000;
const DAY_NAME = /^\d{4}-\d{2}-\d{2}$/;

/**
 * The name of a day, counted from the Unix epoch.
 *
 * @example dayName(20_781) // '2026-11-24'
 */
export function dayName(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** The number of a named day; undefined for a text that is the name of none. */
export function dayOf(name: string): number | undefined {
  if (!DAY_NAME.test(name)) return undefined;
  const day = Date.parse(`${name}T00:00:00Z`) / DAY_MS;
  // A date that does not exist, such as the 31st of June, is read as a later one or as none.
  return Number.isInteger(day) && dayName(day) === name ? day : undefined;
}
