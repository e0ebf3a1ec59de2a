/** The actions of a batch. What is true of all of them follows from this list. */

import { AMEND } from './amend.ts';
import { CANCEL } from './cancel.ts';
import { CANCEL_ALL } from './cancel-all.ts';
import { COMBO } from './combo.ts';
import { GUARD } from './guard.ts';
import type { ActionKind, ActionOf, PostedOf } from './kind.ts';
import { MARGIN_MODE } from './margin-mode.ts';
import { PLACE } from './place.ts';
import { PROTECT } from './protect.ts';
import { UNFREEZE } from './unfreeze.ts';

export const ACTIONS = [
  PLACE,
  COMBO,
  AMEND,
  CANCEL,
  CANCEL_ALL,
  GUARD,
  PROTECT,
  UNFREEZE,
  MARGIN_MODE,
] as const satisfies readonly ActionKind[];

type Kinds = (typeof ACTIONS)[number];
type EachOf<K> = K extends ActionKind ? ActionOf<K> : never;
type EachPosted<K> = K extends ActionKind ? PostedOf<K> : never;

/** An action as it is signed and logged. */
export type BatchAction = EachOf<Kinds>;
export type BatchActionType = BatchAction['type'];

/** Actions whose result is that they are granted, or declined with a reason. */
export type GrantedType = Exclude<
  BatchActionType,
  'place' | 'combo' | 'amend' | 'cancel' | 'cancel-all' | 'guard'
>;

/** An action as it is posted. */
export type ActionWire = EachPosted<Kinds>;
