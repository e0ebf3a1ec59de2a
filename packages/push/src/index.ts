/** Tells traders whose tabs are closed what happened to their accounts, by web push. */

export { loadPushConfig, type PushConfig } from './config.ts';
export { keysOf, newKeys, type VapidKeys } from './keys.ts';
export { type RunPushOptions, runPush } from './run.ts';
