/** Finds the differences between two plain JSON values, for a person to read. */

const SHOWN = 12;

/** Up to a dozen lines `path: engine … model …`; empty if the values are equal. */
export function difference(engine: unknown, model: unknown): string[] {
  const lines: string[] = [];
  compare(engine, model, '', lines);
  return lines.length <= SHOWN ? lines : [...lines.slice(0, SHOWN), `and ${lines.length - SHOWN} more`];
}

function compare(engine: unknown, model: unknown, path: string, lines: string[]): void {
  if (equal(engine, model)) return;
  if (!isNested(engine) || !isNested(model)) {
    lines.push(`${path || 'value'}: engine ${JSON.stringify(engine)} model ${JSON.stringify(model)}`);
    return;
  }
  const below = (key: string) => (path === '' ? key : `${path}.${key}`);
  // Plain JSON has no inherited keys.
  for (const key in engine) compare(engine[key], model[key], below(key), lines);
  for (const key in model) {
    if (!(key in engine)) compare(undefined, model[key], below(key), lines);
  }
}

/** A fast first check: nearly all values are equal, and many are lists. */
function equal(one: unknown, other: unknown): boolean {
  if (one === other || Object.is(one, other)) return true;
  if (!isNested(one) || !isNested(other)) return false;
  return Array.isArray(one) && Array.isArray(other) ? equalLists(one, other) : equalFields(one, other);
}

function equalLists(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i++) {
    if (one[i] !== other[i] && !equal(one[i], other[i])) return false;
  }
  return true;
}

function equalFields(one: Record<string, unknown>, other: Record<string, unknown>): boolean {
  for (const key in one) {
    if (one[key] !== other[key] && !equal(one[key], other[key])) return false;
  }
  for (const key in other) if (!(key in one)) return false;
  return true;
}

function isNested(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
