/** A drop asks from here on: moved by such a share of its level. */
const DROP_SHARE = 0.2;

/** True for a level that a pointer has let go of so far away that the hand may have slipped (TERM-12). */
export function isFarDrop(from: number, to: number): boolean {
  return Math.abs(to - from) > from * DROP_SHARE;
}
