/** The form of values in the log. */

/** A check of objects whose fields pass the check of their name, and that have no other. */
export function form(
  checks: Readonly<Record<string, (value: unknown) => boolean>>,
): (value: unknown) => boolean {
  const fields = Object.entries(checks);
  const names = new Set(Object.keys(checks));
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const values = value as Readonly<Record<string, unknown>>;
    for (const [name, check] of fields) if (!check(values[name])) return false;
    for (const name of Object.keys(values)) {
      if (!names.has(name) && values[name] !== undefined) return false;
    }
    return true;
  };
}
