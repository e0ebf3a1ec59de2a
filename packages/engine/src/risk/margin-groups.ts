/** The groups of an account in defined-risk mode as its owner sees them (DRM-5). */

import { clampMicros, type Micros } from '@venue/protocol';
import type { Account } from '../state/account.ts';
import type { State } from '../state/state.ts';
import { findGroup } from './account-groups.ts';
import { coverageOf, type GroupCoverage } from './coverage.ts';
import { definedRiskOf, groupsOf } from './defined-risk.ts';

/** A group with its part of `locked` and of the maintenance margin. */
export interface ExplainedGroup extends Omit<GroupCoverage, 'rule'> {
  /** `settlement` once its price is known. */
  readonly rule: GroupCoverage['rule'] | 'settlement';
  readonly maintenanceMicros: Micros;
}

/** Every group with its requirement and cover; resting sells count as filled. The requirements are those in `locked`. */
export function marginGroups(state: State, account: Account): ExplainedGroup[] {
  definedRiskOf(state, account);
  const { groups } = groupsOf(state, account);
  const netOf = ({ qtyMicros, restingSellMicros }: { qtyMicros: number; restingSellMicros: number }) =>
    qtyMicros - restingSellMicros;
  return coverageOf(state, account, netOf).map((coverage) => {
    const { requirementMicros, maintenanceMicros, priceMicros } = findGroup(groups, coverage)!;
    const amounts = { requirementMicros, maintenanceMicros: clampMicros(Number(maintenanceMicros)) };
    if (priceMicros === null) return { ...coverage, ...amounts };
    const loss = { amountMicros: requirementMicros, atMicros: priceMicros };
    return { ...coverage, ...amounts, rule: 'settlement', loss, pairs: [], uncovered: [] };
  });
}
