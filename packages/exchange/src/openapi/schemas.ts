/** Schemas as the contract shows them: one named in the protocol is defined once, under that name. */

import * as wire from '@venue/protocol/wire';
import type { TSchema } from 'typebox';

/** Names of schemas by their JSON, because a schema nested in another is a copy. */
const NAMES: ReadonlyMap<string, string> = new Map(
  [...wire.ACTION_SCHEMAS, ...exportedSchemas()].flatMap(([name, schema]) => {
    const json = plain(schema);
    return isComposite(json) ? [[JSON.stringify(json), name]] : [];
  }),
);

function exportedSchemas(): [string, TSchema][] {
  const schemas = Object.entries(wire).filter(([name]) => name.endsWith('Schema'));
  return schemas.map(([name, schema]) => [name.replace(/Schema$/, ''), schema as TSchema]);
}

/** Collects the named schemas that a document refers to. */
export class Components {
  readonly #schemas = new Map<string, unknown>();

  /** The schema, or a reference to it if it has a name. */
  refer(schema: TSchema): unknown {
    return this.#refer(plain(schema));
  }

  /** By name, in alphabetical order. */
  schemas(): Record<string, unknown> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #refer(node: unknown): unknown {
    const name = NAMES.get(JSON.stringify(node));
    if (name === undefined) return this.#inside(node);
    if (!this.#schemas.has(name)) {
      this.#schemas.set(name, null);
      this.#schemas.set(name, this.#inside(node));
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  #inside(node: unknown): unknown {
    if (Array.isArray(node)) return node.map((item) => this.#refer(item));
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, this.#refer(value)]));
  }
}

/** The schema as plain JSON, without the library's marks. */
function plain(schema: TSchema): unknown {
  return JSON.parse(JSON.stringify(schema));
}

function isComposite(json: unknown): boolean {
  return typeof json === 'object' && json !== null && ('properties' in json || 'anyOf' in json);
}
