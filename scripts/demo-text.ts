/** The output of a demonstration: numbered steps, and lines beneath them. */

let steps = 0;

export function step(text: string): void {
  steps += 1;
  console.log(`\n${steps}. ${text}`);
}

export function say(line: string): void {
  console.log(`   ${line}`);
}

export function usd(amount: number): string {
  return `${amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 6 })} USD`;
}
