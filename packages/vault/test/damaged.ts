/** Every copy of a JSON value in which one member, however deep, is replaced by an empty object. */
export function damaged(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    [{}, ...damaged(member)].map((other) => Object.assign(structuredClone(value), { [key]: other })),
  );
}

/** Every copy of an object that lacks one member. */
export function lacking(value: object): object[] {
  return Object.keys(value).map((key) => ({ ...value, [key]: undefined }));
}
