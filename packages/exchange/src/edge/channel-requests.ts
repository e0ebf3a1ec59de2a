/** The requests that a connection to the channels may send, and their answers (STR-1, STR-4). */

import {
  MESSAGES,
  malformed,
  type PublicError,
  required,
  type StreamRequestId,
  wrong,
} from '@venue/protocol';
import {
  STREAM_REQUESTS,
  type StreamAuth,
  type StreamBatch,
  type StreamPing,
  type StreamSubscribe,
  type StreamUnsubscribe,
} from '@venue/protocol/wire';
import { parseStrictJson } from '../http/json.ts';
import { compileCheck } from '../http/validate.ts';

/** A message that is a request, or why it is none. */
export type ChannelRequest =
  | StreamAuth
  | StreamSubscribe
  | StreamUnsubscribe
  | StreamPing
  | StreamBatch
  | { readonly op: 'refused'; readonly id: StreamRequestId | null; readonly fault: PublicError };

const CHECKS = new Map(
  Object.entries(STREAM_REQUESTS).map(([op, { request }]) => [op, compileCheck('message', request)]),
);
const ID_CHARS_MAX = 64;
const NO_OP = wrong('op', [...CHECKS.keys()].join(' or '));

/** Reads a message; one that is binary, no JSON or of the wrong shape is malformed. */
export function readRequest(bytes: Buffer, isBinary: boolean): ChannelRequest {
  const value = isBinary ? undefined : parseStrictJson(bytes);
  if (value === undefined) return refused(null, isBinary ? malformed('message') : MESSAGES.malformedJson);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refused(null, wrong('message', 'a JSON object'));
  const { id: given, op } = value as Readonly<Record<string, unknown>>;
  const id = idOf(given);
  if (id === null) return refused(null, given === undefined ? required('id') : malformed('id'));
  const check = typeof op === 'string' ? CHECKS.get(op) : undefined;
  if (check === undefined) return refused(id, NO_OP);
  const fault = check(value);
  return fault === null
    ? (value as ChannelRequest)
    : refused(id, op === 'subscribe' ? ofAsked(fault) : fault);
}

const ASKED = /^channels\[\d+\]/;

/** Replaces the error of the check, which names only the first of the shapes that an item of `channels` may have. */
function ofAsked(fault: PublicError): PublicError {
  const [asked] = ASKED.exec(fault.error) ?? [];
  if (asked === undefined) return fault;
  return {
    ...fault,
    error: `${asked} must be a name, or an object of channel and seq, or of fills as channel and after`,
  };
}

function refused(id: StreamRequestId | null, fault: PublicError): ChannelRequest {
  return { op: 'refused', id, fault };
}

function idOf(given: unknown): StreamRequestId | null {
  if (typeof given === 'string') return given !== '' && given.length <= ID_CHARS_MAX ? given : null;
  return typeof given === 'number' && Number.isSafeInteger(given) && given >= 0 ? given : null;
}
