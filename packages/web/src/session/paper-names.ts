/** Names of the paper accounts of a browser. */

export const NAME_LENGTH_MAX = 24;
/** Invisible characters, and those that turn the direction of what follows. */
const UNSEEN = /[\p{C}\u{2028}\u{2029}]/gu;
const DEFAULT = /^Paper ([1-9]\d{0,3})$/;

/**
 * A typed or kept name as it is shown: one line of at most 24 characters; empty where nothing of it can be seen.
 *
 * @example nameOf('  my\n first ') // 'my first'
 */
export function nameOf(typed: string): string {
  const plain = typed.replaceAll(/\s+/g, ' ').replaceAll(UNSEEN, '').trim();
  // By characters: half of a pair would show as a box.
  return [...plain].slice(0, NAME_LENGTH_MAX).join('').trim();
}

/** `Paper 1`, or the number after the highest that stands; an account with a name of its own counts as one. */
export function nextName(names: readonly string[]): string {
  const numbers = names.map((name) => Number(DEFAULT.exec(name)?.[1] ?? 0));
  return `Paper ${Math.max(names.length, ...numbers) + 1}`;
}

/**
 * The name of an account after another took its own: no other has it, and it is as long as a name may be.
 *
 * @example oldName('Paper 1', ['Paper 1 (old)']) // 'Paper 1 (old 2)'
 */
export function oldName(name: string, others: readonly string[]): string {
  for (let i = 1; ; i++) {
    const end = i === 1 ? ' (old)' : ` (old ${i})`;
    const next =
      [...name]
        .slice(0, NAME_LENGTH_MAX - end.length)
        .join('')
        .trimEnd() + end;
    if (!others.includes(next)) return next;
  }
}
