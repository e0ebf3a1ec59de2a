/** What the command lines of scripts have in common. */

/** What is wrong with a command line, in one line. */
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

/** Of what there has to be some, or a run would prove nothing. Throws `BadOption`. */
export function atLeast(min: number, name: string, text: string): number {
  const number = whole(name, text);
  if (number < min) throw new BadOption(`--${name} is ${min} at least, not ${number}`);
  return number;
}
