/** The environment: every variable is declared here once, and each process reads its own by that. */

export { checkVariables, type Finding, faultOf, warnings } from './check.ts';
export { ConfigError } from './config-error.ts';
export { variablesHelp } from './help.ts';
export type { AssetClass, ListedSymbol } from './kinds.ts';
export { refuseUnknownNames, unknownVariables } from './names.ts';
export { type Environment, readVariables, type Values } from './read.ts';
export { secretText } from './secret-files.ts';
export type { Reader, Variable } from './variable.ts';
export { SECRET_LENGTH_MIN } from './variables/secrets.ts';
export { VARIABLES } from './variables.ts';
