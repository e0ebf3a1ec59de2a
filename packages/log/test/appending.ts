/** A process that appends to a log until it is killed, and what it says. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const APPENDER = fileURLToPath(new URL('appender.ts', import.meta.url));

export function startAppender(at: string, options: { uid?: number } = {}): ChildProcess {
  return spawn(process.execPath, [APPENDER, at], { stdio: ['ignore', 'pipe', 'pipe'], ...options });
}

/** Waits until the child has printed a seq of at least `atLeast`, and returns the highest. */
export async function acknowledged(child: ChildProcess, atLeast: number): Promise<number> {
  const seen = { highest: 0, rest: '' };
  for await (const chunk of child.stdout!.iterator({ destroyOnReturn: false })) {
    takeSeqs(seen, String(chunk));
    if (seen.highest >= atLeast) return seen.highest;
  }
  throw new Error(`the child ended after ${seen.highest}: ${child.stderr!.read()}`);
}

/** Kills the child without warning, and returns the highest seq it printed. */
export async function kill(child: ChildProcess): Promise<number> {
  child.kill('SIGKILL');
  const seen = { highest: 0, rest: '' };
  for await (const chunk of child.stdout!) takeSeqs(seen, String(chunk));
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return seen.highest;
}

/** Uses complete lines only: the kill may have cut off the last one. */
function takeSeqs(seen: { highest: number; rest: string }, chunk: string): void {
  const lines = (seen.rest + chunk).split('\n');
  seen.rest = lines.pop()!;
  for (const line of lines) seen.highest = Math.max(seen.highest, Number(line));
}

export async function outputOf(child: ChildProcess): Promise<string> {
  let output = '';
  for await (const chunk of child.stdout!) output += chunk;
  return output;
}

export async function errorsOf(child: ChildProcess): Promise<string> {
  let output = '';
  for await (const chunk of child.stderr!) output += chunk;
  return output;
}
