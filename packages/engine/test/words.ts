/** The words of a scenario line, taken one by one. */

import assert from 'node:assert/strict';

export class Words {
  readonly #words: string[];

  constructor(text: string) {
    this.#words = text.split(/\s+/);
  }

  take(): string {
    const word = this.#words.shift();
    assert.ok(word !== undefined, 'the line ends too early');
    return word;
  }

  /** Takes the next word if it is the given one. */
  takeIf(word: string): boolean {
    return this.takeMatch(word) !== undefined;
  }

  takeMatch(pattern: string | RegExp): string | undefined {
    const next = this.#words[0];
    const matches = typeof pattern === 'string' ? next === pattern : pattern.test(next ?? '');
    return matches ? this.#words.shift() : undefined;
  }

  rest(): string {
    return this.#words.join(' ');
  }
}

/** `61s`, `-1ms`, `30d` */
export const DURATION = /^([+-]?\d+)(ms|s|m|h|d)$/;
const UNIT_MS = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/** Milliseconds of a duration. */
export function durationMs(text: string): number {
  const [, count = '', unit = ''] = DURATION.exec(text) ?? [];
  assert.ok(count !== '', `not a duration: ${text}`);
  return Number(count) * UNIT_MS.get(unit)!;
}
