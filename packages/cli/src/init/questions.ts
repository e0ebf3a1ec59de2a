/** The variables that `venue init` asks for: those without a sensible default on a new machine (CFG-1). */

import { secretFileName, VARIABLES, type Variable, type VariableName } from '@venue/config';

export interface Question {
  readonly variable: VariableName;
  /** The meaning of no answer; without it one is needed. */
  readonly empty?: string;
  /** Not asked for a paper market. */
  readonly isOfRealMoney?: true;
  /** Not asked where operators with names settle (OPS-2). */
  readonly isOfSettlement?: true;
  /** True if earlier answers leave it open. */
  readonly isOpen?: (values: ReadonlyMap<VariableName, string>) => boolean;
}

const LATER = 'later';

export const QUESTIONS: readonly Question[] = [
  { variable: 'VENUE_FEED_SOURCE' },
  { variable: 'VENUE_LOG', empty: 'a file on this machine' },
  { variable: 'VENUE_LOG_SINGLE', empty: '0', isOpen: isOnPostgres },
  { variable: 'VENUE_SETTLE_HASH_1', empty: LATER, isOfRealMoney: true, isOfSettlement: true },
  { variable: 'VENUE_SETTLE_HASH_2', empty: LATER, isOfRealMoney: true, isOfSettlement: true },
  { variable: 'VENUE_RPC_URLS', isOfRealMoney: true },
  { variable: 'VENUE_VAULT_OPERATOR_KEY', empty: LATER, isOfRealMoney: true },
];

export function isOnPostgres(values: ReadonlyMap<VariableName, string>): boolean {
  return /^postgres/.test(values.get('VENUE_LOG') ?? '');
}

/** The option that answers a question: a value, or of a secret the file that holds it. */
export function flagOf({ variable }: Question): string {
  const { secret }: Variable = VARIABLES[variable];
  return `--${secretFileName(variable)}${secret ? '-file' : ''}`;
}
