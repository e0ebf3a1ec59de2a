/** A small JSON file that is replaced atomically, even if the process or the machine dies. */

import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ConfigError } from '@venue/config';

/** Called with the name of each step of a daemon's work, after that step. */
export type StepHook = (step: string) => void;

let drafts = 0;

export class StateFile {
  readonly path: string;
  readonly #onStep: StepHook;
  /** Drafts of two daemons that were given one file by mistake must not collide. */
  readonly #draft = `${process.pid}-${++drafts}`;

  constructor(path: string, onStep: StepHook = () => {}) {
    this.path = path;
    this.#onStep = onStep;
  }

  /** Its content, or undefined if there is none yet; throws `ConfigError` for a file that is not JSON. */
  read(): unknown {
    try {
      return JSON.parse(readFileSync(this.path, 'utf8'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw this.unusable(error instanceof SyntaxError ? 'it is no JSON' : (error as Error).message);
    }
  }

  /** The error for unusable content. */
  unusable(why: string, remedy = 'restore it from a copy, or move it away to start without it'): Error {
    return new ConfigError(`the state file ${this.path} cannot be used: ${why}; ${remedy}`);
  }

  /** Replaces the content durably. Throws `ConfigError` if that fails, and keeps the old content. */
  async write(content: object): Promise<void> {
    try {
      await this.#replace(content);
    } catch (error) {
      if (!isFileError(error)) throw error;
      throw new ConfigError(`the state file ${this.path} cannot be written: ${error.message}`);
    }
  }

  async #replace(content: object): Promise<void> {
    const folder = dirname(this.path);
    // Creates only the last folder, so that a mistyped path is not created.
    if (!existsSync(folder)) mkdirSync(folder);
    const temporary = `${this.path}.${this.#draft}.tmp`;
    const file = await open(temporary, 'w', 0o600);
    try {
      await file.writeFile(`${JSON.stringify(content)}\n`);
      this.#onStep('state-drafted');
      await file.sync();
    } finally {
      await file.close();
    }
    this.#onStep('state-synced');
    await rename(temporary, this.path);
    await syncFolder(folder);
    this.#onStep('state-replaced');
  }
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error;
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
