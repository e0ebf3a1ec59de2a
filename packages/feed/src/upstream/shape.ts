/** Checks that a message of an upstream has the form that its reader expects. */

import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/schema';

/** The check of a schema, as a type guard. */
export function checkOf<S extends TSchema>(schema: S): (value: unknown) => value is Static<S> {
  const compiled = Compile(schema);
  return (value): value is Static<S> => compiled.Check(value);
}
