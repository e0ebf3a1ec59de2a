/** The environment: every variable is declared once, here, and each process reads its own through that declaration. */

export { checkVariables, type Finding, faultOf, valueFault, warnings } from './check.ts';
export { ConfigError } from './config-error.ts';
export type { Environment } from './environment.ts';
export { variablesHelp } from './help.ts';
export type { AssetClass, ListedSymbol, OwnKey } from './kinds.ts';
export { refuseUnknownNames, unknownVariables } from './names.ts';
export {
  type NamedOperator,
  nameFault,
  OPERATOR_ROLES,
  OPERATORS_MAX,
  type OperatorRole,
  operatorsText,
  readOperators,
  rolesFault,
  rolesOf,
  SHARED_OPERATOR,
} from './operators.ts';
export { readVariables, type Values } from './read.ts';
export { secretFileName, secretText } from './secret-files.ts';
export type { Reader, Variable } from './variable.ts';
export { SECRET_LENGTH_MIN } from './variables/secrets.ts';
export { VARIABLES, type VariableName } from './variables.ts';
