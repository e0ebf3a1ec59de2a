/** `--check` of the processes: says whether one could start, one line per check. */

import { checkVariables, type Environment, type Finding, faultOf, type Reader } from '@venue/config';
import { EXIT } from './exit-codes.ts';

/** Checks the variables of a client of the exchange: each by itself, and then all together by the process's loader. */
export function checkClient(
  process: Reader,
  env: Environment,
  load: (env: Environment) => unknown,
): Finding[] {
  const variables = checkVariables(process, env);
  if (variables.some(({ ok }) => !ok)) return variables;
  const joint = faultOf(() => load(env)).map((text) => ({ ok: false, text }));
  return joint.length > 0 ? joint : variables;
}

/** Prints the findings; the process exits with 1 if anything is wrong. */
export function showFindings(findings: readonly Finding[]): void {
  for (const { ok, text } of findings) console.log(`${ok ? 'ok   ' : 'wrong'} ${text}`);
  process.exitCode = findings.every(({ ok }) => ok) ? EXIT.done : EXIT.refused;
}
