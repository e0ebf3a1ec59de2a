/** Checks what a client is made with, so that a slip is named where it was made. */

/** Throws `TypeError` that names a missing or an unknown option. */
export function checkOptions<T extends { readonly url: string }>(
  options: T,
  known: Readonly<Record<keyof T, true>>,
): void {
  if (typeof options !== 'object' || options === null)
    throw new TypeError(`a client takes options, as { url: 'http://127.0.0.1:8080' }, not ${options}`);
  if (typeof options.url !== 'string')
    throw new TypeError("url is missing: the venue's address, as { url: 'http://127.0.0.1:8080' }");
  const unknown = Object.keys(options).filter((name) => !Object.hasOwn(known, name));
  if (unknown.length > 0)
    throw new TypeError(`unknown option ${unknown.join(', ')}: there are ${Object.keys(known).join(', ')}`);
}
