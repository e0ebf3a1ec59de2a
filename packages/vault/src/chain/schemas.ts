/** Schemas of what state files hold. */

import type { Address, Hex } from '@venue/protocol';
import { type Static, type TSchema, Type } from 'typebox';
import type { Hash } from './parse.ts';

/** The type that a schema describes, read only all the way down. */
export type Content<S extends TSchema> = ReadOnly<Static<S>>;
type ReadOnly<T> = T extends string ? T : { readonly [K in keyof T]: ReadOnly<T[K]> };

export const nullable = <const S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

/** An address in this package's form: lower case. */
export const AddressText = Type.Unsafe<Address>(Type.String({ pattern: '^0x[0-9a-f]{40}$' }));
export const HashText = Type.Unsafe<Hash>(Type.String({ pattern: '^0x[0-9a-f]{64}$' }));
export const BytesText = Type.Unsafe<Hex>(Type.String({ pattern: '^0x([0-9a-f]{2})+$' }));
/** An amount of wei, too large for a number, in decimal digits. */
export const WeiText = Type.String({ pattern: '^[0-9]{1,30}$' });
export const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** A block that a file remembers by its hash. */
export const SeenBlockSchema = Type.Object({ number: Count, hash: HashText });
export type SeenBlock = Content<typeof SeenBlockSchema>;
