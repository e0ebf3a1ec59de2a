/** Reads the actions of a batch from a file or from standard input. */

import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { type ActionWire, readActions } from '@venue/protocol';
import { CommandError, usageError } from '../../base/command-error.ts';

/** `-` is standard input. Throws `CommandError` for a file that cannot be read, and for malformed actions. */
export async function actionsOf(file: string): Promise<readonly ActionWire[]> {
  return parsedActions(await textIn(file), nameOf(file));
}

/** The JSON value in a file; throws as `actionsOf` does. */
export async function jsonOf(file: string): Promise<unknown> {
  return parsed(await textIn(file), nameOf(file));
}

async function textIn(file: string): Promise<string> {
  return file === '-' ? text(process.stdin) : textOf(file);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

function nameOf(file: string): string {
  return file === '-' ? 'standard input' : file;
}

/** The actions in a text: a list, or an object that has one as `actions`, as the body of the request would. */
export function parsedActions(json: string, name: string): readonly ActionWire[] {
  const actions = listIn(parsed(json, name));
  const read = readActions(actions);
  // The venue would say the same of them.
  if ('error' in read) throw usageError(`${name}: ${read.error}; nothing was sent`);
  return actions as readonly ActionWire[];
}

function parsed(json: string, name: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw usageError(`${name} holds no JSON: ${(error as Error).message}; nothing was sent`);
  }
}

function listIn(value: unknown): unknown {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject && 'actions' in value ? value.actions : value;
}
