/**
 * JSON schemas of posted properties as plain data: clients load the actions, and must not load a library of schemas with
 * them. Their descriptions carry the units into the API document.
 */

/** A JSON schema. */
export interface JsonSchema {
  readonly type?: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';
  readonly description?: string;
  readonly [keyword: string]: unknown;
}

/** Longer than any name. Longer texts are refused here, before they could reach the log. */
const NAME_LENGTH_MAX = 64;

export const SERIES_ID_JSON = {
  type: 'string',
  maxLength: NAME_LENGTH_MAX,
  description: 'Canonical contract name: symbol, expiry in Unix seconds, C or P, strike',
  examples: ['AAPL-1764374400-C-190'],
} as const satisfies JsonSchema;

export const SYMBOL_JSON = {
  type: 'string',
  maxLength: NAME_LENGTH_MAX,
  description: 'Underlying',
  examples: ['AAPL'],
} as const satisfies JsonSchema;

/** A quantity. */
export const contracts = (meaning: string) => number(`${meaning}, in contracts`);

/** A premium or an underlying price. */
export const price = (meaning: string) => number(`${meaning}, in US dollars per contract or underlying unit`);

export const number = (description: string) => ({ type: 'number', description }) satisfies JsonSchema;

export const integer = (description: string) => ({ type: 'integer', description }) satisfies JsonSchema;

export const integerFrom = (minimum: number, description: string) =>
  ({ type: 'integer', minimum, description }) satisfies JsonSchema;

export const integerWithin = (minimum: number, maximum: number, description: string) =>
  ({ type: 'integer', minimum, maximum, description }) satisfies JsonSchema;

export const unixMs = (meaning: string) => integer(`${meaning}, in milliseconds since the Unix epoch`);

/** One of some texts. */
export const choiceOf = (texts: readonly string[]) =>
  ({ anyOf: texts.map((text) => ({ type: 'string', const: text })) }) satisfies JsonSchema;

export const listOf = (items: JsonSchema, minItems: number, maxItems: number) =>
  ({ type: 'array', items, minItems, maxItems }) satisfies JsonSchema;

/** An object; `required` names the properties that must be given. */
export const objectOf = (
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = Object.keys(properties),
) => ({ type: 'object', required, properties }) satisfies JsonSchema;
