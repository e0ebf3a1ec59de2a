/**
 * Processor time that this thread has used, in ms. It only counts work: it stands still while the machine sleeps, the
 * process is suspended, or others have the processor, and no clock that is set changes it. Linux brings it up to date every
 * few milliseconds, so it says nothing about less.
 */
export function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
