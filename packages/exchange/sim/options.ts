/** Command-line parsing shared by the scripts. */

/** A faulty command line, described in one line. */
export class BadOption extends Error {
  override readonly name = 'BadOption';
}

/** Throws `BadOption`. */
export function whole(name: string, text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(number))
    throw new BadOption(`--${name} takes a whole number, not '${text}'`);
  return number;
}

/** Parses a count with a minimum, because a run of nothing proves nothing. Throws `BadOption`. */
export function atLeast(min: number, name: string, text: string): number {
  const number = whole(name, text);
  if (number < min) throw new BadOption(`--${name} is ${min} at least, not ${number}`);
  return number;
}
