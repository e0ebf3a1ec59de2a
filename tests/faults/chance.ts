/** Random choices of the clients under a fault. */

export function pick<T>(items: readonly T[]): T {
  return items[Math.floor(Math.random() * items.length)]!;
}

/** One of the values, each as likely as its weight says. */
export function weighted<T>(choices: readonly (readonly [weight: number, value: T])[]): T {
  let left = Math.random() * choices.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, value] of choices) {
    left -= weight;
    if (left < 0) return value;
  }
  return choices.at(-1)![1];
}
