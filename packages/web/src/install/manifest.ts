/** The web manifest, by which browsers install the terminal as an app. */

/** The icons of the manifest and of `apple-touch-icon`, made by `scripts/icons.ts` out of `icon.svg`. */
export const ICONS = [
  { file: 'icon-192.png', sizePx: 192, purpose: 'any' },
  { file: 'icon-512.png', sizePx: 512, purpose: 'any' },
  // Cut to any shape within the middle four fifths by the system that shows it.
  { file: 'icon-maskable-512.png', sizePx: 512, purpose: 'maskable' },
  { file: 'icon-apple-180.png', sizePx: 180, purpose: 'apple' },
] as const;

/** Behind the icon while the app starts: that of `icon.svg`. A manifest has one colour for both schemes. */
const GROUND = '#0e1116';

/**
 * The manifest as JSON. Addresses are those of the built icons, by the name of their source.
 *
 * @example manifestText((file) => `/assets/${file}`)
 */
export function manifestText(addressOf: (file: string) => string): string {
  const icons = ICONS.filter(({ purpose }) => purpose !== 'apple');
  return JSON.stringify({
    // Names the app for good, whatever the start address becomes.
    id: '/',
    name: 'Venue',
    short_name: 'Venue',
    description: 'Trade cash-settled options',
    lang: 'en',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    theme_color: GROUND,
    background_color: GROUND,
    icons: icons.map(({ file, sizePx, purpose }) => ({
      src: addressOf(file),
      sizes: `${sizePx}x${sizePx}`,
      type: 'image/png',
      purpose,
    })),
  });
}
