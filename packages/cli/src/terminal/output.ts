/** Prints a command's answer: a table for people, one JSON value for programs. */

import { settings } from '../base/config.ts';
import { coloured, colourless, type Paint } from './style.ts';
import type { Page } from './table.ts';

export interface OutputOptions {
  readonly json?: true;
}

/** The page of a stream: as wide as its terminal; without limits or colours elsewhere. */
export function pageOf(stream: NodeJS.WriteStream): Page {
  return stream.isTTY
    ? { width: stream.columns || 80, paint: paintOf(stream) }
    : { width: Infinity, paint: colourless };
}

function paintOf(stream: NodeJS.WriteStream): Paint {
  return stream.isTTY && !settings().isColourless ? coloured : colourless;
}

/**
 * Prints the result of a command: with `--json` the value as one line of JSON, else lines for people.
 *
 * @example show(options, book, (page) => bookText(book, page))
 */
export function show(options: OutputOptions, value: unknown, lines: (page: Page) => readonly string[]): void {
  forgivePipes();
  if (options.json) process.stdout.write(`${JSON.stringify(value)}\n`);
  else for (const line of lines(pageOf(process.stdout))) process.stdout.write(`${line}\n`);
}

/** Writes text unchanged, such as CSV. */
export function write(text: string): void {
  forgivePipes();
  process.stdout.write(text);
}

/** Prints a message for people beside the answer. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

let isForgiving = false;

/** The reader of the output may close it early. */
function forgivePipes(): void {
  if (isForgiving) return;
  isForgiving = true;
  process.stdout.on('error', () => process.exit(0));
}
