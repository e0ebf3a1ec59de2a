/** Names of operators: they stand in the log, in the audit and in journals (OPS-2). */
export const OPERATOR_NAME = /^[a-z][a-z0-9._-]{0,31}$/;
