/**
 * Asks a person. Questions go to the standard error stream, so that standard output holds only the command's answer.
 */

import { createInterface } from 'node:readline';
import { EXIT } from '../base/exit-codes.ts';

/** Returns whether there is a person to ask. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Asks a yes-or-no question; anything but a clear yes is a no. Ctrl-C ends the command. */
export async function ask(question: string): Promise<boolean> {
  const answer = await line(`${question} [y/N] `);
  return /^(y|yes)$/i.test(answer.trim());
}

/** Asks for a line of text, without the spaces around it. */
export async function askText(question: string): Promise<string> {
  return (await line(question)).trim();
}

/** Asks for a secret, which is not shown while it is typed. */
export async function askSecret(question: string): Promise<string> {
  // Echo stops here; if the question came first, fast typing or a paste could be seen.
  const hidden = createInterface({ input: process.stdin, terminal: true });
  process.stderr.write(question);
  try {
    return await firstLine(hidden);
  } finally {
    process.stderr.write('\n');
  }
}

function line(question: string): Promise<string> {
  const from = createInterface({ input: process.stdin, output: process.stderr, prompt: question });
  from.prompt();
  return firstLine(from);
}

function firstLine(from: ReturnType<typeof createInterface>): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  from.once('line', resolve);
  from.once('close', () => resolve(''));
  from.once('SIGINT', () => {
    process.stderr.write('\n');
    process.exit(EXIT.interrupted);
  });
  return promise.finally(() => from.close());
}
