/** Shows how much of a download has come, on the standard error stream of a terminal. */

const SHOW_MS = 200;
const MEGABYTE = 1_000_000;

/**
 * Yields the same bytes and counts them.
 *
 * @example for await (const bytes of byteCount('trades.csv', 30_000_000, parts)) …
 */
export async function* byteCount(
  what: string,
  total: number,
  parts: AsyncIterable<Uint8Array>,
  output: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stderr,
): AsyncGenerator<Uint8Array, void> {
  let bytes = 0;
  let shownMs = performance.now() - SHOW_MS;
  let isShown = false;
  try {
    for await (const part of parts) {
      yield part;
      bytes += part.length;
      if (!output.isTTY || performance.now() - shownMs < SHOW_MS) continue;
      shownMs = performance.now();
      isShown = true;
      output.write(`\r\x1b[K${what}: ${megabytes(bytes)} of ${megabytes(total)} MB`);
    }
  } finally {
    if (isShown) output.write('\r\x1b[K');
  }
}

function megabytes(bytes: number): string {
  return (bytes / MEGABYTE).toFixed(1);
}
