/** What operators do by hand, submitted with their names (OPS-2). */

import type { IncomingHttpHeaders } from 'node:http';
import { type Command, isWritable, type OperatorCommand } from '@venue/engine';
import type { Shown } from './route.ts';
import { type Accepted, type Services, submit } from './services.ts';

type Knowing = Pick<Services, 'credentials' | 'state'>;

/** Submits a command that an operator's secret admitted, like `submit`. */
export function submitByHand<C extends OperatorCommand, T>(
  services: Knowing & Pick<Services, 'sequencer'>,
  headers: IncomingHttpHeaders,
  command: C,
  render: (outcome: Accepted<C>, ts: number) => T,
): Promise<Shown<T>> {
  return submit(services, named(services, headers, command), render);
}

/** Without the name while a node of the venue may not read it: what is done at night must not wait for an upgrade. */
function named<C extends Command>(
  { credentials, state }: Knowing,
  headers: IncomingHttpHeaders,
  command: C,
): C {
  const by = credentials.operatorOf(headers)?.name;
  const withName = by === undefined ? command : { ...command, by };
  return isWritable(state, withName) ? withName : command;
}

/** Who asks for what takes two people: the settlement secrets that a request carries, or else whose own it is (CUS-10). */
export interface Asking {
  readonly secrets: readonly [boolean, boolean];
  readonly by?: string;
}

/**
 * Two names are two people only where the log has them, so an attempt by name is refused until every node reads it: the
 * command keeps its name.
 */
export function askingOf({ credentials }: Knowing, headers: IncomingHttpHeaders): Asking {
  const caller = credentials.showsSettleSecret(headers) ? null : credentials.operatorOf(headers);
  if (caller !== null) return { secrets: [caller.roles.has('settle'), false], by: caller.name };
  return { secrets: [credentials.holds('settle1', headers), credentials.holds('settle2', headers)] };
}
