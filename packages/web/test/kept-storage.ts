/** A browser's storage, in memory. */
export function keptStorage(kept: Readonly<Record<string, string>> = {}) {
  const values = new Map(Object.entries(kept));
  return {
    values,
    isFull: false,
    getItem: (name: string) => values.get(name) ?? null,
    setItem(name: string, text: string) {
      if (this.isFull) throw new DOMException('full', 'QuotaExceededError');
      values.set(name, text);
    },
    removeItem: (name: string) => void values.delete(name),
  };
}

export function refusedStorage(): never {
  throw new DOMException('The operation is insecure.', 'SecurityError');
}
