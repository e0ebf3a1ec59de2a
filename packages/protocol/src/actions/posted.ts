/** One action as posted: its properties, and the faults that name them (DET-1). */

import { malformed, required } from '../messages/fields.ts';
import type { PublicError } from '../messages/refusal.ts';

/** Leaves the reading of nested fields; `readActions` catches it. */
export class ActionFault extends Error {
  override name = 'ActionFault';
  readonly error: PublicError;

  constructor(error: PublicError) {
    super(error.error);
    this.error = error;
  }
}

/** A property whose name may be repeated in an answer, although a stranger chose it. */
const PROPERTY = /^[A-Za-z]\w{0,31}$/;

/** An action by its place in the batch. */
export function placeOf(index: number): string {
  return `actions[${index}]`;
}

/** Every fault names its property. */
export class Posted {
  readonly #json: Readonly<Record<string, unknown>>;
  readonly #index: number;
  readonly #isAlone: boolean;

  /** A property of one that is alone is named without a place. */
  constructor(json: unknown, index: number, isAlone = false) {
    if (typeof json !== 'object' || json === null || Array.isArray(json))
      throw new ActionFault(malformed(placeOf(index)));
    this.#json = json as Readonly<Record<string, unknown>>;
    this.#index = index;
    this.#isAlone = isAlone;
  }

  has(name: string): boolean {
    return this.#json[name] !== undefined;
  }

  allowOnly(properties: ReadonlySet<string>): void {
    for (const name of Object.keys(this.#json)) {
      if (!properties.has(name)) this.malformed(name);
    }
  }

  /** The value that `parse` makes of a property; undefined if it is absent, a fault if `parse` makes nothing of it. */
  optional<T>(name: string, parse: (json: unknown) => T | undefined): T | undefined {
    const json = this.#json[name];
    return json === undefined ? undefined : (parse(json) ?? this.malformed(name));
  }

  required<T>(name: string, parse: (json: unknown) => T | undefined): T {
    return this.optional(name, parse) ?? this.missing(name);
  }

  malformed(name: string): never {
    throw new ActionFault(malformed(PROPERTY.test(name) ? this.#named(name) : placeOf(this.#index)));
  }

  missing(name: string): never {
    throw new ActionFault(required(this.#named(name)));
  }

  #named(name: string): string {
    return this.#isAlone ? name : `${placeOf(this.#index)}.${name}`;
  }
}
