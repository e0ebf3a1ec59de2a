import type { ErrorName } from '@venue/protocol';
import { parametersOf, type State } from '../state/state.ts';

/** Paper cash cannot be deposited or withdrawn; the routes do not exist then, so this is a second safeguard. */
export function hasCustody(state: State): boolean {
  return parametersOf(state).fundingMode === 'deposits';
}

export const NO_CUSTODY = { refusal: 'notFound' } as const satisfies { refusal: ErrorName };
