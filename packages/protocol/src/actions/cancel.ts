/** Cancels one order (DET-2). */

import { type ActionOf, kindOf } from './kind.ts';
import { REF_FIELD } from './ref.ts';

export const CANCEL = kindOf('cancel', { ref: REF_FIELD });
export type CancelAction = ActionOf<typeof CANCEL>;
