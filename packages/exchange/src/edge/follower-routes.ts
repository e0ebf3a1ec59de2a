/** The routes of a follower: what reads as at a node, and one refusal for what appends (FOL-1). */

import type { PublicError } from '@venue/protocol';
import type { Access, Route } from '../http/route.ts';

const READERS: ReadonlySet<Access> = new Set<Access>(['public', 'bearer', 'local']);

/** The same routes, of which those that need a node refuse. */
export function followerRoutes(routes: readonly Route[], refusal: PublicError): Route[] {
  return routes.map((route) => (isAtNode(route) ? { ...route, refusal } : route));
}

function isAtNode({ method, access, atNode = method !== 'GET' || !READERS.has(access) }: Route): boolean {
  return atNode;
}
