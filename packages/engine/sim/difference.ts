/** Where two plain JSON values differ, for a person to read. */

const SHOWN = 12;

/** Up to a dozen lines `path: engine … model …`; empty when the values are equal. */
export function difference(engine: unknown, model: unknown): string[] {
  const lines: string[] = [];
  compare(engine, model, '', lines);
  return lines.length <= SHOWN ? lines : [...lines.slice(0, SHOWN), `and ${lines.length - SHOWN} more`];
}

function compare(engine: unknown, model: unknown, path: string, lines: string[]): void {
  if (Object.is(engine, model) || (engine === 0 && model === 0)) return;
  if (!isNested(engine) || !isNested(model)) {
    lines.push(`${path || 'value'}: engine ${JSON.stringify(engine)} model ${JSON.stringify(model)}`);
    return;
  }
  const below = (key: string) => (path === '' ? key : `${path}.${key}`);
  // Plain JSON has no inherited keys, and most of what is compared is equal.
  for (const key in engine) {
    if (engine[key] !== model[key]) compare(engine[key], model[key], below(key), lines);
  }
  for (const key in model) {
    if (!(key in engine)) compare(undefined, model[key], below(key), lines);
  }
}

function isNested(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
