/**
 * The WebSockets as an AsyncAPI document, generated from the tables that serve them, so that the two cannot differ
 * (WEB-2).
 */

import {
  ErrorBodySchema,
  RefusedChannelSchema,
  STREAM_CHANNELS,
  STREAM_REQUESTS,
  StreamBeatSchema,
  type StreamChannelKind,
  StreamEndSchema,
  StreamFrameSchema,
  type StreamRequestKind,
} from '@venue/protocol/wire';
import { type TObject, type TSchema, Type } from 'typebox';
import { INFO } from './document.ts';
import { rateLimitOf } from './limits.ts';
import { Components } from './schemas.ts';

interface Message {
  readonly summary: string;
  readonly payload: unknown;
}

interface Reference {
  readonly $ref: string;
}

interface Operation {
  /** As seen by the service. */
  readonly action: 'send' | 'receive';
  readonly description: string;
  readonly channel: Reference;
  readonly messages: readonly Reference[];
  readonly reply?: { readonly channel: Reference; readonly messages: readonly Reference[] };
}

export interface AsyncApiDocument {
  readonly asyncapi: '3.0.0';
  readonly info: object;
  readonly defaultContentType: 'application/json';
  readonly servers: object;
  readonly channels: Readonly<
    Record<'stream' | 'push', { readonly messages: Readonly<Record<string, Reference>> }>
  >;
  readonly operations: Readonly<Record<string, Operation>>;
  readonly components: {
    readonly messages: Readonly<Record<string, Message>>;
    readonly schemas: Record<string, unknown>;
  };
}

/** Describes `/v1/stream` and `/ws`: each message in both directions, and which answers which. */
export function asyncApiDocument(): AsyncApiDocument {
  const parts = new Parts();
  for (const [op, kind] of Object.entries(STREAM_REQUESTS)) parts.addRequest(op, kind);
  for (const [kind, channel] of Object.entries(STREAM_CHANNELS)) parts.addChannel(kind, channel);
  // A refusal is only ever a reply.
  parts.add('refused', 'Why a request was not carried out', REFUSED);
  parts.addSent('beat', 'Comes every 5 s at least to a connection with channels', [
    ['beat', StreamBeatSchema],
  ]);
  parts.addSent('end', 'The last message of a channel', [['end', StreamEndSchema]]);
  const ofStream = [...parts.messages.keys()];
  parts.addFrames();
  const ofPush = [...parts.messages.keys()].slice(ofStream.length);
  return {
    asyncapi: '3.0.0',
    info: { ...INFO, title: 'Venue, the stream', description: DESCRIPTION, license: LICENSE, tags: TAGS },
    defaultContentType: 'application/json',
    servers: SERVERS,
    channels: {
      stream: { ...addressed('/v1/stream', STREAM_TEXT), messages: referred(ofStream) },
      push: { ...addressed('/ws', PUSH_TEXT), ...PUSH_BINDINGS, messages: referred(ofPush) },
    },
    operations: Object.fromEntries(parts.operations),
    components: { messages: Object.fromEntries(parts.messages), schemas: parts.schemas.schemas() },
  };
}

/** Messages, operations and schemas, in the order in which the document has them. */
class Parts {
  readonly schemas = new Components();
  readonly messages = new Map<string, Message>();
  readonly operations = new Map<string, Operation>();

  add(name: string, summary: string, payload: TSchema): string {
    this.messages.set(name, { summary, payload: this.schemas.refer(payload) });
    return name;
  }

  addRequest(op: string, { summary, request, more, answer }: StreamRequestKind): void {
    const whole = more === undefined ? request : Type.Object({ ...request.properties, ...more.properties });
    const asked = this.add(op, summary, whole);
    const answered = this.add(`${op}Answer`, `Answers \`${op}\``, answerOf(answer));
    this.operations.set(op, {
      action: 'receive',
      description: summary,
      channel: STREAM,
      messages: [messageOf('stream', asked)],
      reply: {
        channel: STREAM,
        messages: [messageOf('stream', answered), messageOf('stream', 'refused')],
      },
    });
  }

  addChannel(kind: string, channel: StreamChannelKind): void {
    this.addSent(kind, channel.summary, [
      [`${kind}Snapshot`, messageSchema(kind, channel, 'snapshot')],
      [`${kind}Delta`, messageSchema(kind, channel, 'delta')],
    ]);
  }

  /** Messages of `/v1/stream` that answer no request. */
  addSent(name: string, summary: string, sent: readonly (readonly [string, TSchema])[]): void {
    const names = sent.map(([message, schema]) => this.add(message, summary, schema));
    this.operations.set(name, sending('stream', summary, names));
  }

  /** The frames of `/ws`. */
  addFrames(): void {
    const names = StreamFrameSchema.anyOf.map((frame) => {
      const type = frame.properties.type.const;
      return this.add(`${type}Frame`, `A frame of type \`${type}\``, frame);
    });
    this.operations.set('push', sending('push', 'Frames on a tick of 250 ms when something changed', names));
  }
}

const LICENSE = { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' };

const TAGS = [{ name: 'Stream', description: 'The two WebSockets.' }];

const DESCRIPTION =
  'The two WebSockets of a venue, as the service sees them: it receives requests and sends messages. `docs/reference/stream.md` says how to keep a channel whole. Amounts and times are those of the routes, which `/openapi.yaml` describes.';

const STREAM_TEXT =
  'Requests with answers, and channels that begin with a snapshot and go on with deltas, which have the members that changed (STR-1 to STR-4). A connection with channels gets a beat at least every 5 s: its channels are complete up to `seq`, and a channel whose last message has not the `seq` that `sent` names has lost one on the way. A channel whose series, expiry or underlying has ended is sent an end and no longer counts. `subscribe` refuses each bad name alone (STR-5).';

const PUSH_TEXT =
  'Sends and is sent nothing but control frames. Without a token it carries public frames only; with one, as `?token=`, the account’s too. An unknown token: 401 `missing or unknown token` (WS-1). Frames come on a tick of 250 ms when something changed; the first is `account`, then `orders` (FINE-18). The service pings every 20 s and drops a client that is silent for 90 s or has 512 frames waiting.';

const PUSH_BINDINGS = {
  bindings: { ws: { method: 'GET', query: { type: 'object', properties: { token: { type: 'string' } } } } },
};

const SERVERS = {
  venue: {
    host: '{host}',
    protocol: 'wss',
    description: 'The exchange that serves this document',
    variables: { host: { description: 'Its name, and its port unless that is 443', default: 'localhost' } },
  },
};

const STREAM = { $ref: '#/channels/stream' };
const Seq = Type.Integer({ minimum: 0, description: 'The last entry of the log that it takes into account' });
const Id = Type.Union([Type.String(), Type.Integer()], { description: 'That of the request' });

/** `id` is null where a message has none that can be read. */
const REFUSED = Type.Object({
  id: Type.Union([Id, Type.Null()]),
  status: Type.Integer({ minimum: 400 }),
  code: Type.Optional(Type.String({ description: 'As in the header `x-venue-code`' })),
  seq: Seq,
  body: Type.Object({
    ...ErrorBodySchema.properties,
    channels: Type.Optional(Type.Integer({ description: 'Of `subscribe`: those of the connection' })),
    refused: Type.Optional(Type.Array(RefusedChannelSchema)),
  }),
});

function answerOf(body: TObject): TObject {
  return Type.Object({ id: Id, status: Type.Literal(200), seq: Seq, body });
}

function messageSchema(
  kind: string,
  { of, members }: StreamChannelKind,
  type: 'snapshot' | 'delta',
): TObject {
  const name =
    of === null
      ? Type.Literal(kind)
      : Type.String({ pattern: `^${kind}:`, description: `Name: \`${kind}:${of}\`` });
  const prev = type === 'delta' && {
    prevSeq: Type.Integer({ minimum: 0, description: 'The `seq` of the message before' }),
  };
  return Type.Object({ channel: name, type: Type.Literal(type), ...prev, seq: Seq, ...members.properties });
}

function sending(channel: 'stream' | 'push', description: string, names: readonly string[]): Operation {
  return {
    action: 'send',
    description,
    channel: { $ref: `#/channels/${channel}` },
    messages: names.map((name) => messageOf(channel, name)),
  };
}

function messageOf(channel: 'stream' | 'push', name: string): Reference {
  return { $ref: `#/channels/${channel}/messages/${name}` };
}

function addressed(address: '/v1/stream' | '/ws', description: string): object {
  return { address, description, 'x-rate-limit': rateLimitOf(address) };
}

function referred(names: readonly string[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/messages/${name}` }]));
}
