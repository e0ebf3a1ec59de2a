/** Output and exit codes of the scripts. */

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints the faults, or that there are none, and sets the exit code. */
export function finish(faults: readonly string[]): void {
  for (const fault of faults) say(`FAULT: ${fault}`);
  say(faults.length === 0 ? 'nothing acknowledged was lost, nothing is there twice' : 'this must not be');
  process.exitCode = faults.length > 0 ? 1 : 0;
}

/** The quantile of ascending values: 0.5 for the median, 1 for the maximum. */
export function share(ascending: readonly number[], part: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * part))] ?? 0;
}
