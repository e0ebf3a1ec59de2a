/** The form of actions in the log, where they are as they were signed, defaults written out (BAT-1). */

import { form } from './form.ts';
import { ACTIONS, type BatchAction } from './index.ts';
import type { ActionKind } from './kind.ts';
import { BATCH_ACTIONS_MAX } from './limits.ts';

const FORMS: ReadonlyMap<unknown, (value: unknown) => boolean> = new Map(
  ACTIONS.map((kind) => [kind.type, formOf(kind)]),
);

function formOf({ type, fields }: ActionKind): (value: unknown) => boolean {
  const checks = Object.entries(fields).map(([name, { isLogged }]) => [name, isLogged] as const);
  return form({ type: (value) => value === type, ...Object.fromEntries(checks) });
}

/** True for the actions of a batch as an entry has them. */
export function areLoggedActions(value: unknown): value is readonly BatchAction[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > BATCH_ACTIONS_MAX) return false;
  return value.every((action) => FORMS.get(action?.type)?.(action) ?? false);
}
