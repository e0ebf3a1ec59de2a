/** Checks requests against their schemas, with messages that say how to fix them (OWN-30). Coerces nothing. */

import { empty, malformed, type PublicError, required, wrong } from '@venue/protocol';
import type { TSchema } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';
import { Compile } from 'typebox/schema';
import { Settings } from 'typebox/system';

// A value that is none of several choices counts a fault for each, and the message lists them all.
Settings.Set({ maxErrors: 32 });

/** The first fault of a value, or null if it has the right shape. */
export type Check = (value: unknown) => PublicError | null;

/**
 * Compiles a schema into a check. `name` is what messages call the value as a whole.
 *
 * @example compileCheck('body', OrderRequestSchema)({}) // { status: 400, error: 'seriesId required', code: 'field-required' }
 */
export function compileCheck(name: string, schema: TSchema): Check {
  const validator = Compile(schema);
  return (value) => {
    if (value === undefined) return required(name);
    return validator.Check(value) ? null : explain(name, validator.Errors(shortened(value))[1]);
  };
}

/** More than any bound of a schema, so a shortened list is at fault wherever the whole list was. */
const EXPLAINED_ITEMS_MAX = 1_001;
const EXPLAINED_LENGTH_MAX = 1_024;

/**
 * The library looks for every fault, even beyond a failed bound: for a list of a megabyte that would take half a
 * second.
 */
function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, EXPLAINED_LENGTH_MAX);
  if (Array.isArray(value)) return value.slice(0, EXPLAINED_ITEMS_MAX).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortened(inner)]));
}

function explain(name: string, errors: readonly TLocalizedValidationError[]): PublicError {
  const [first] = errors;
  if (first === undefined) return malformed(name);
  const field = fieldOf(first.instancePath);
  const choices = errors.flatMap((error) =>
    error.keyword === 'const' && error.instancePath === first.instancePath ? [error.params.allowedValue] : [],
  );
  if (choices.length > 0) return wrong(field || name, choices.join(' or '));
  return explainOne(name, field, first);
}

const TYPES = new Map([
  ['object', 'a JSON object'],
  ['array', 'an array'],
  ['string', 'a string'],
  ['number', 'a number'],
  ['integer', 'an integer'],
  ['boolean', 'true or false'],
]);

function explainOne(name: string, field: string, error: TLocalizedValidationError): PublicError {
  switch (error.keyword) {
    case 'required':
      return required([field, error.params.requiredProperties[0]].filter(Boolean).join('.'));
    case 'type':
      return wrong(field || name, TYPES.get(String(error.params.type)) ?? String(error.params.type));
    case 'minItems':
    case 'minLength':
      return empty(field || name);
    default:
      return malformed(field || name);
  }
}

/** Turns `/prints/3/price` into `prints[3].price`. */
function fieldOf(path: string): string {
  return path
    .split('/')
    .slice(1)
    .map((part, i) => (/^\d+$/.test(part) ? `[${part}]` : i === 0 ? part : `.${part}`))
    .join('');
}
