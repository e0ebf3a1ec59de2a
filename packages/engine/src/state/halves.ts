/** Halves of what takes two people: a settlement by hand, and the binding of the ledger (CUS-1, CUS-10, OPS-2). */

/** One of the two secrets of settlement. */
export type SettleSecret = 1 | 2;

/** Who asked for one half: an operator by name, or else the holder of a settlement secret. */
export interface Half {
  readonly secret: SettleSecret;
  readonly by?: string;
}

/** The half of a command that came with exactly one secret. */
export function halfOf({ secrets, by }: { secrets: readonly [boolean, boolean]; by?: string }): Half {
  return { secret: secrets[0] ? 1 : 2, ...(by !== undefined && { by }) };
}

/** True if they are two people for certain: the one who has a name may hold the secret, too. */
export function areTwo(a: Half, b: Half): boolean {
  if (a.by === undefined && b.by === undefined) return a.secret !== b.secret;
  return a.by !== undefined && b.by !== undefined && a.by !== b.by;
}

/** True if both are of the same name, or of the same secret without a name. */
export function isSamePerson(a: Half, b: Half): boolean {
  return a.by === b.by && (a.by !== undefined || a.secret === b.secret);
}
