/** Shows the number of rows so far, on the standard error stream of a terminal. */

const SHOW_MS = 200;

/**
 * Yields the same rows and counts them.
 *
 * @example for await (const entry of progressCount('audit', 'entries', entries)) …
 */
export async function* progressCount<T>(
  word: string,
  unit: string,
  rows: AsyncIterable<T> | Iterable<T>,
  output: NodeJS.WriteStream = process.stderr,
): AsyncGenerator<T, void> {
  let count = 0;
  let shownMs = performance.now();
  let isShown = false;
  try {
    for await (const row of rows) {
      yield row;
      count += 1;
      if (!output.isTTY || performance.now() - shownMs < SHOW_MS) continue;
      shownMs = performance.now();
      isShown = true;
      output.write(`\r\x1b[K${word}: ${count} ${unit}`);
    }
  } finally {
    if (isShown) output.write('\r\x1b[K');
  }
}
