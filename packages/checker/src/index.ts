/** The checker: recomputes what the gate is asked to commit, and vetoes what does not follow (CUS-18). */

export { type CheckerConfig, loadCheckerConfig } from './config.ts';
export { type RunCheckerOptions, runChecker } from './run.ts';
