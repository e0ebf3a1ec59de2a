/** Turns devices on and off for anybody who signs with a live session key of the account (PUSH-3). */

import { checkSession, type State } from '@venue/engine';
import {
  type Address,
  DEVICE_NAME_MAX,
  deviceId,
  EnvelopeFieldError,
  MESSAGES,
  malformed,
  NEWS_KINDS,
  NONCE_WINDOW_MS,
  PUSH_DEVICES_MAX,
  PUSH_MESSAGES,
  type PublicError,
  type PushAct,
  type PushDevices,
  type PushRequest,
  parseAddress,
  pushEnvelope,
  recoverPersonal,
} from '@venue/protocol';
import { endpointOf } from './endpoint.ts';
import type { Place } from './follow.ts';
import { canEncryptFor } from './sender.ts';
import type { PushStore } from './store.ts';

/** Over all accounts, so that free wallets cannot fill the disk. */
const DEVICES_IN_ALL_MAX = 100_000;
/** A device that was not renewed for this long is forgotten. */
const DEVICE_LIFETIME_MS = 90 * 86_400_000;

export interface RegisterOptions {
  readonly store: PushStore;
  readonly state: State;
  /** The log's time, unix ms. */
  readonly now: () => number;
  readonly place: () => Place;
  readonly services: readonly string[];
  readonly publicKey: string;
  readonly onChanged: (account: Address) => void;
}

/** A refusal; the store is as it was. */
export class PushRefusal extends Error {
  override readonly name = 'PushRefusal';
  readonly refusal: PublicError;

  constructor(refusal: PublicError) {
    super(refusal.error);
    this.refusal = refusal;
  }
}

export class Register {
  readonly #options: RegisterOptions;

  constructor(options: RegisterOptions) {
    this.#options = options;
  }

  /** Carries out a request, whose shape it checks. Returns the account's devices afterwards; throws `PushRefusal`. */
  act(body: unknown): PushDevices {
    const request = requestOf(body);
    const act = actOf(request);
    if (act.act === 'on') this.#checkSubscription(act);
    this.#authorize(request, act);
    const { store, onChanged } = this.#options;
    store.together(() => {
      if (!store.spend(request.account, request.sessionKey, request.nonce)) refuse(MESSAGES.nonceUsed);
      this.#carryOut(request, act);
    });
    if (act.act !== 'list') onChanged(request.account);
    return this.#devicesOf(request.account);
  }

  /** Forgets devices that were not renewed for long, and nonces that the window refuses anyway. */
  prune(): void {
    const { store, state, now, onChanged } = this.#options;
    // By the newest entry, because the clock starts there after a restart; it may be ahead of it now.
    store.forgetNonces(state.ts - 2 * NONCE_WINDOW_MS);
    for (const { account, id, since } of store.devices()) {
      if (since >= now() - DEVICE_LIFETIME_MS) continue;
      store.dropDevice(account, id);
      onChanged(account);
    }
  }

  #checkSubscription({ subscription }: Extract<PushAct, { act: 'on' }>): void {
    if (endpointOf(subscription.endpoint, this.#options.services) === null)
      refuse(PUSH_MESSAGES.unknownPushService);
    if (!canEncryptFor(subscription)) refuse(malformed('subscription'));
  }

  /** The order of the exchange: session, window of the nonce, signature. */
  #authorize({ account, sessionKey, nonce, signature }: PushRequest, act: PushAct): void {
    const { state, now } = this.#options;
    const owner = state.accountByAddress.get(account);
    const ts = now();
    const fault =
      owner === undefined ? 'unknownSessionKey' : checkSession({ account: owner, sessionKey, ts });
    if (fault !== null) refuse(MESSAGES[fault]);
    if (Math.abs(nonce - ts) > NONCE_WINDOW_MS) refuse(MESSAGES.nonceOutsideWindow);
    const text = textOf({ venue: state.venue ?? '', account, act, nonce });
    if (recoverPersonal(text, signature) !== sessionKey) refuse(MESSAGES.badSignature);
  }

  #carryOut({ account, sessionKey }: PushRequest, act: PushAct): void {
    const { store, now, publicKey } = this.#options;
    if (act.act === 'off') store.dropDevice(account, act.device);
    if (act.act !== 'on') return;
    const { subscription, kinds, name } = act;
    const id = deviceId(subscription.endpoint);
    if (store.device(account, id) === null) {
      if (store.devicesOf(account).length >= PUSH_DEVICES_MAX) refuse(PUSH_MESSAGES.tooManyDevices);
      if (store.count() >= DEVICES_IN_ALL_MAX) refuse(PUSH_MESSAGES.noRoomForDevices);
    }
    store.putDevice({ account, id, ...subscription, kinds, name, sessionKey, publicKey, since: now() });
    // News begin with the device, after a restart too.
    store.setPlace(this.#options.place());
  }

  #devicesOf(account: Address): PushDevices {
    const { store, publicKey } = this.#options;
    const devices = store
      .devicesOf(account)
      // With another key it is told nothing until it is turned on again.
      .filter((device) => device.publicKey === publicKey)
      .map(({ id, name, kinds, since }) => ({ id, name, kinds, since }));
    return { devices };
  }
}

function refuse(refusal: PublicError): never {
  throw new PushRefusal(refusal);
}

function textOf(fields: Parameters<typeof pushEnvelope>[0]): string {
  try {
    return pushEnvelope(fields);
  } catch (error) {
    if (error instanceof EnvelopeFieldError) return refuse(MESSAGES.fieldHasNewline);
    throw error;
  }
}

type Fields = Readonly<Record<string, unknown>>;

function requestOf(body: unknown): PushRequest {
  const fields = fieldsOf(body, 'body');
  const account = parseAddress(textField(fields, 'account', 42)) ?? refuse(malformed('account'));
  const sessionKey = parseAddress(textField(fields, 'sessionKey', 42)) ?? refuse(malformed('sessionKey'));
  const { nonce } = fields;
  if (!Number.isSafeInteger(nonce)) refuse(malformed('nonce'));
  const signature = textField(fields, 'signature', 132);
  return { ...fields, account, sessionKey, nonce, signature } as unknown as PushRequest;
}

function actOf(fields: Fields | PushRequest): PushAct {
  const of = fields as Fields;
  switch (of.act) {
    case 'list':
      return { act: 'list' };
    case 'off':
      return { act: 'off', device: textField(of, 'device', 32) };
    case 'on': {
      const given = fieldsOf(of.subscription, 'subscription');
      const subscription = {
        endpoint: textField(given, 'endpoint', 1_024),
        p256dh: textField(given, 'p256dh', 100),
        auth: textField(given, 'auth', 50),
      };
      return { act: 'on', subscription, kinds: kindsOf(of.kinds), name: nameOf(of) };
    }
    default:
      return refuse(malformed('act'));
  }
}

/** In the order of `NEWS_KINDS`, as they are signed; each once and at least one. */
function kindsOf(value: unknown): PushRequestKinds {
  if (!Array.isArray(value) || value.length === 0) return refuse(malformed('kinds'));
  const kinds = NEWS_KINDS.filter((kind) => value.includes(kind));
  return kinds.length === value.length ? kinds : refuse(malformed('kinds'));
}

type PushRequestKinds = Extract<PushAct, { act: 'on' }>['kinds'];

/** Without control characters, and without those that reverse the direction of text. */
function nameOf(fields: Fields): string {
  const name = textField(fields, 'name', DEVICE_NAME_MAX);
  return /[\p{C}\p{Zl}\p{Zp}]/u.test(name) ? refuse(malformed('name')) : name;
}

function fieldsOf(value: unknown, name: string): Fields {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Fields) : refuse(malformed(name));
}

function textField(fields: Fields, name: string, lengthMax: number): string {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  const isText = typeof value === 'string' && value !== '' && value.length <= lengthMax;
  return isText ? value : refuse(malformed(name));
}
