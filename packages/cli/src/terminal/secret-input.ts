/** A secret that is not typed on the command line, where other users of the machine could see it. */

import { askSecret, canAsk } from './confirm.ts';

/** Longer than any secret. */
const INPUT_MAX = 1_000;

/** Reads a secret from standard input; a person is prompted, and their typing is not shown. */
export function secretFromInput(question: string): Promise<string> {
  return canAsk() ? askSecret(question) : fromPipe();
}

async function fromPipe(): Promise<string> {
  let read = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    read += chunk;
    if (read.length > INPUT_MAX) break;
  }
  return read;
}
