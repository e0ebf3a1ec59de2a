/** Switches how an account's shorts are margined (DRM-1). */

import { required } from './field.ts';
import { type ActionOf, kindOf } from './kind.ts';
import { choice } from './value.ts';

/** The margin of an account's shorts: one by one, or together with the longs that cover them (DRM-1). */
export const MARGIN_MODES = ['per-leg', 'defined-risk'] as const;
export type MarginMode = (typeof MARGIN_MODES)[number];

export const MARGIN_MODE = kindOf('margin-mode', { mode: required('mode', choice(MARGIN_MODES)) });
export type MarginModeAction = ActionOf<typeof MARGIN_MODE>;
