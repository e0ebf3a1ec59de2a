/** Rejects where a promise has not settled within this time. What it stands for may go on. */
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
