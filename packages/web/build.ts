/** Builds the terminal's pages from their sources: once, and again whenever a source changes. */

import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { ICONS, manifestText } from './src/install/manifest.ts';
import type { Release } from './src/install/release.ts';

const PACKAGE = fileURLToPath(new URL('.', import.meta.url));
const PACKAGES = join(PACKAGE, '..');
/** Inputs of the build; a change to any of them triggers a rebuild. */
const SOURCES = [
  'web/index.html',
  'web/admin.html',
  'web/package.json',
  'web/build.ts',
  'web/src',
  'sdk/src',
  'protocol/src',
];
const FINGERPRINT = 'fingerprint.txt';
const NAMED_BY_CONTENT = /-[\w-]{8}\.\w+$/;

/** The folder the built pages are served from. */
export const TERMINAL_FOLDER = join(PACKAGE, 'dist');

export interface TerminalBuild {
  readonly folder: string;
  /** False when the existing build was up to date. */
  readonly wasMade: boolean;
}

/** Throws the bundler's error if the build fails. */
export async function buildTerminal(): Promise<TerminalBuild> {
  const folder = TERMINAL_FOLDER;
  const fingerprint = fingerprintOfSources();
  const file = join(folder, FINGERPRINT);
  if (existsSync(file) && readFileSync(file, 'utf8') === fingerprint) return { folder, wasMade: false };
  // Built in a temporary folder and renamed into place, so that another process that serves or builds never sees half
  // of it.
  const made = mkdtempSync(join(PACKAGE, '.dist-'));
  try {
    await bundleInto(made);
    renameSync(join(made, 'admin.html'), join(made, 'assets', 'admin.html'));
    writeFileSync(join(made, FINGERPRINT), fingerprint);
    putInPlace(made, folder);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
  return { folder, wasMade: true };
}

/**
 * The parts loaded after the first paint, a file for each area that a person enters as a whole. Each takes along what it
 * imports, so the parts that import others come later.
 */
const LATER_PARTS = [
  {
    name: 'panels',
    test: /\/web\/src\/(?:areas\/(?:account|book|chain|help|notices|order\/(?!tray|core\/tray)|share|watch)|kit|terminal)\//,
  },
  { name: 'strategies', test: /\/web\/src\/areas\/order\// },
  { name: 'what-if', test: /\/web\/src\/areas\/whatif\// },
  { name: 'charts', test: /\/web\/src\/areas\/charts\/|lightweight-charts/ },
  { name: 'funds', test: /\/web\/src\/areas\/funds\// },
];

/** Bundles the current sources into a folder. */
async function bundleInto(outDir: string): Promise<void> {
  // Imported only when a build is needed: loading Vite takes longer than everything else here.
  const { build } = await import('vite');
  const pages = ['index.html', 'admin.html'].map((page) => join(PACKAGE, page));
  const first = firstLoad(pages);
  await build({
    configFile: false,
    root: PACKAGE,
    logLevel: 'warn',
    css: { modules: { generateScopedName: classOf } },
    plugins: [
      first.plugin,
      { name: 'styles-last', transformIndexHtml: { order: 'post', handler: stylesLast } },
      manifestOfIcons(),
      {
        name: 'typeface-licence',
        // It has to come along with the typeface; the page's help links to it.
        generateBundle() {
          const source = readFileSync(join(PACKAGE, 'src/page/inter/licence.txt'));
          this.emitFile({ type: 'asset', fileName: 'assets/inter-licence.txt', source });
        },
      },
    ],
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      rollupOptions: {
        input: pages,
        // A constant's value is shorter than its name.
        optimization: { inlineConst: true },
        output: { codeSplitting: { groups: [...first.files, ...LATER_PARTS] } },
      },
    },
  });
  await bundleWorkerInto(outDir);
}

/** Makes the service worker, which knows the files of the page by name; they have to be there. */
async function bundleWorkerInto(outDir: string): Promise<void> {
  const { build } = await import('vite');
  await build({
    configFile: false,
    root: PACKAGE,
    logLevel: 'warn',
    define: { RELEASE: JSON.stringify(releaseOf(outDir)) },
    build: {
      outDir,
      emptyOutDir: false,
      target: 'es2022',
      modulePreload: false,
      rollupOptions: {
        input: join(PACKAGE, 'src/install/service-worker.ts'),
        output: { entryFileNames: 'assets/service-worker.js' },
      },
    },
  });
}

/** The built page: a file belongs to it if its name stands in the page, or in another file that belongs to it. */
function releaseOf(folder: string): Release {
  const names = readdirSync(join(folder, 'assets')).filter((name) => NAMED_BY_CONTENT.test(name));
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const found = new Set<string>();
  const follow = (text: string) => {
    for (const name of names) {
      if (found.has(name) || !text.includes(name)) continue;
      found.add(name);
      if (/\.(?:js|css)$/.test(name)) follow(readFileSync(join(folder, 'assets', name), 'utf8'));
    }
  };
  follow(page);
  const files = [...found].sort().map((name) => `/assets/${name}`);
  const [, entry] = /<script type="module"[^>]* src="([^"]+)"/.exec(page)!;
  const id = createHash('sha256').update(page).update(files.join()).digest('hex').slice(0, 16);
  return { id, entry: entry!, files };
}

/**
 * Puts what the pages load at once into one file that they share and one for each page. By default the bundler makes a file
 * for each set of later parts that need a module too: sixty files, which are more requests and compress worse; its own
 * tag for what is loaded at once does not tell the pages apart. The pages' own scripts stay apart, because loading a file
 * runs every module in it.
 */
function firstLoad(pages: readonly string[]) {
  const neededBy = new Map<string, Set<string>>();
  const plugin: Plugin = {
    name: 'first-load',
    buildEnd() {
      const importedBy = (module: string) => this.getModuleInfo(module)?.importedIds ?? [];
      const take = (modules: readonly string[], page: string) => {
        for (const module of modules) {
          const by = neededBy.get(module) ?? new Set();
          if (by.has(page)) continue;
          neededBy.set(module, by.add(page));
          take(importedBy(module), page);
        }
      };
      for (const page of pages) {
        for (const one of importedBy(page)) take(one.endsWith('.css') ? [one] : importedBy(one), page);
      }
    },
  };
  // The shared file comes first, as a file takes along what its modules import.
  const files = [
    { name: 'first-shared', test: (module: string) => neededBy.get(module)?.size === pages.length },
    ...pages.map((page) => ({
      name: `first-${basename(page, '.html')}`,
      test: (module: string) => neededBy.get(module)?.has(page) === true,
    })),
  ];
  return { plugin, files };
}

/** The name in the page of a module's class: readable, so that people and tests recognise it. */
function classOf(name: string, file: string): string {
  return `${basename(file, '.module.css')}_${name}`;
}

/**
 * A style sheet delays rendering of everything after it, so it goes below the page's first markup. Scripts still wait
 * for it.
 */
function stylesLast(html: string): string {
  const links = html.match(/\n\s*<link rel="stylesheet"[^>]*>/g) ?? [];
  return links
    .reduce((rest, link) => rest.replace(link, ''), html)
    .replace('</body>', `${links.join('')}\n  </body>`);
}

/** Emits the icons of the installed app, and its manifest, which names them. */
function manifestOfIcons(): Plugin {
  const icons = new Map<string, string>();
  return {
    name: 'web-manifest',
    buildStart() {
      for (const { file } of ICONS) {
        const source = readFileSync(join(PACKAGE, 'src/install', file));
        icons.set(file, this.emitFile({ type: 'asset', name: file, source }));
      }
    },
    generateBundle() {
      const source = manifestText((file) => `/${this.getFileName(icons.get(file)!)}`);
      this.emitFile({ type: 'asset', fileName: 'assets/manifest.webmanifest', source });
    },
  };
}

function putInPlace(made: string, folder: string): void {
  const old = `${made}-old`;
  try {
    if (existsSync(folder)) renameSync(folder, old);
    renameSync(made, folder);
  } catch (error) {
    // Another process finished first, with the same pages.
    if (!existsSync(join(folder, FINGERPRINT))) throw error;
  } finally {
    rmSync(old, { recursive: true, force: true });
  }
}

function fingerprintOfSources(): string {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap((source) => filesOf(join(PACKAGES, source)))) {
    hash.update(relative(PACKAGES, file)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

function filesOf(path: string): string[] {
  if (!existsSync(path)) return [];
  if (!path.endsWith('src')) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

if (import.meta.main) {
  const { folder, wasMade } = await buildTerminal();
  console.log(wasMade ? `made ${folder}` : `${folder} is up to date`);
}
