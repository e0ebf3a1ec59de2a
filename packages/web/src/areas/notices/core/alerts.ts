/** A sound and a desktop notification for a fill, each off until the person turns it on. */

import { membersOf, readKept, writeKept } from '../../../basics/kept.ts';

export interface AlertChoice {
  readonly sound: boolean;
  readonly desktop: boolean;
}

const NAME = 'venue alerts';

/** The choices stored in this browser. */
export function alertChoice(): AlertChoice {
  const { sound, desktop } = membersOf(readKept(() => localStorage, NAME));
  return { sound: sound === true, desktop: desktop === true };
}

/** Stores a choice, if the browser has storage. */
export function chooseAlerts(choice: AlertChoice): void {
  writeKept(() => localStorage, NAME, choice);
}

/** Plays the sound, and notifies while the page is hidden. The browser's own permission decides last. */
export async function alertOf(
  { title, text, key }: { readonly title: string; readonly text: string; readonly key: string },
  isShown: boolean,
): Promise<void> {
  const { sound, desktop } = alertChoice();
  if (sound) await chime();
  if (!desktop || isShown || !('Notification' in globalThis) || Notification.permission !== 'granted') return;
  try {
    new Notification(title, { body: text, tag: key });
  } catch {
    // Some phones allow notifications only from service workers.
  }
}

let context: AudioContext | null = null;

/** Two short tones. Browsers allow sound only after a press, so the first may stay silent. */
export async function chime(): Promise<void> {
  context ??= new AudioContext();
  await context.resume();
  tone(context, 660, context.currentTime);
  tone(context, 880, context.currentTime + 0.12);
}

function tone(audio: AudioContext, hertz: number, atS: number): void {
  const [source, volume] = [audio.createOscillator(), audio.createGain()];
  source.frequency.value = hertz;
  volume.gain.setValueAtTime(0.15, atS);
  volume.gain.exponentialRampToValueAtTime(0.001, atS + 0.25);
  source.connect(volume).connect(audio.destination);
  source.start(atS);
  source.stop(atS + 0.25);
}
