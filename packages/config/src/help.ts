/** The section of a command's help about its variables, generated from their declarations. */

import { readsOf } from './read.ts';
import type { Reader, Variable } from './variable.ts';

/** A paragraph with one line per variable of the readers, in the order of docs/reference/environment.md. */
export function variablesHelp(...readers: readonly Reader[]): string {
  const reads = new Map(readers.flatMap(readsOf));
  const width = Math.max(...[...reads.keys()].map((name) => name.length));
  const lines = [...reads].map(([name, variable]) => {
    const terms = `${variable.meaning}${withoutIt(variable, readers)}`;
    return `  ${name.padEnd(width)}  ${terms.replaceAll('`', '')}`;
  });
  const hasSecrets = [...reads.values()].some(({ secret }) => secret);
  return `
Variables, each with what holds without it; docs/reference/environment.md says what each may be:
${lines.join('\n')}
${hasSecrets ? 'A secret can be in a file of its own, which its variable with _FILE behind it names.\n' : ''}`;
}

function withoutIt({ default: standard, absent, neededBy }: Variable, readers: readonly Reader[]): string {
  if (standard !== undefined) return ` (${standard})`;
  const isNeeded = neededBy?.some((reader) => readers.includes(reader));
  return isNeeded || absent === undefined ? ' (needed)' : ` (${absent})`;
}
