/** Limits on how long the page waits for its browser. */

/** Storage may never answer. The page starts without it then. */
export const STORAGE_LIMIT_MS = 8_000;

/** Rejects if a promise has not settled within the limit; the work behind it may go on. */
export async function inTime<T>(wanted: Promise<T>, limitMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(reject, limitMs, new Error(`no answer within ${limitMs} ms`));
  });
  try {
    return await Promise.race([wanted, late]);
  } finally {
    clearTimeout(timer!);
  }
}
