/** Runs the `venue` command like a person or a script: arguments, output, exit code. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { callWitness, lastLines } from '../../scripts/evidence.ts';

export const MAIN = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url));

/** Longer than any command here should take. */
const LIMIT_MS = 60_000;

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  readonly env: Readonly<Record<string, string>>;
  /** Standard input; empty by default. */
  readonly input?: string;
}

/** The last commands, with what they said. */
const shown: [name: string, output: string][] = [];
const SHOWN_MAX = 8;
callWitness(() => shown);

function note(child: ChildProcess, { code, stdout, stderr }: Ended): Ended {
  const output = `${child.spawnargs.join(' ')}: ${code}\n${stdout}${stderr}`;
  shown.push([`command-${child.pid}.log`, lastLines(output)]);
  if (shown.length > SHOWN_MAX) shown.shift();
  return { code, stdout, stderr };
}

/** Starts the command without any VENUE_ variable except those given. */
export function start(words: readonly string[], { env }: CommandOptions): ChildProcess {
  return spawn(process.execPath, [MAIN, ...words], { env: { ...inherited(), ...env }, timeout: LIMIT_MS });
}

/** Runs the command to its end. */
export async function run(words: readonly string[], options: CommandOptions): Promise<Ended> {
  return ended(start(words, options), options.input);
}

export interface TerminalOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly columns: number;
  /** Text typed once the command has asked, for each of its questions; a prompt ends with a blank. */
  readonly typed?: string | readonly string[];
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a prompt ends with a move of the cursor
const ASKED = /(\[y\/N\]|\):) (\x1b\[\d+G)?$/;

/** Runs the command on a terminal of this width, by `script` of util-linux; both streams are merged. */
export async function runOnTerminal(
  words: readonly string[],
  { env, columns, typed = [] }: TerminalOptions,
): Promise<Ended> {
  const quoted = [process.execPath, MAIN, ...words].map((word) => `'${word}'`).join(' ');
  const command = `stty cols ${columns} rows 40; exec ${quoted}`;
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    env: { ...inherited(), TERM: 'xterm', ...env },
    timeout: LIMIT_MS,
  });
  const close = once(child, 'close');
  let stdout = '';
  const answers = [typed].flat();
  let answered = 0;
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    stdout += chunk;
    if (answers.length === 0 || !ASKED.test(stdout.slice(answered))) return;
    answered = stdout.length;
    child.stdin.write(answers.shift()!);
  });
  const [stderr, [code]] = await Promise.all([text(child.stderr), close]);
  return note(child, { code, stdout, stderr });
}

export async function ended(child: ChildProcess, input = ''): Promise<Ended> {
  const close = once(child, 'close');
  // A command that reads no input may already have ended.
  child.stdin!.on('error', () => {}).end(input);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout!), text(child.stderr!), close]);
  return note(child, { code, stdout, stderr });
}

function inherited(): Record<string, string | undefined> {
  const kept = Object.entries(process.env).filter(([name]) => !/^(VENUE_|XDG_|NO_COLOR$)/.test(name));
  return Object.fromEntries(kept);
}
