/** Comma-separated values (RFC 4180). */

/**
 * A header and rows, each line ended by CRLF.
 *
 * @example csv(['id', 'reason'], [['1', 'a, b']]) // 'id,reason\r\n1,"a, b"\r\n'
 */
export function csv(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, ...rows].map((row) => `${row.map(quoted).join(',')}\r\n`).join('');
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
