/** The compose files of deploy/docker, read as Docker reads them, without Docker. */

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { parse } from 'yaml';

const DEPLOY = fileURLToPath(new URL('../../deploy', import.meta.url));
/** Where the containers have their volume. */
const VOLUME = '/var/lib/venue';

interface Service {
  readonly command: readonly string[];
  readonly secrets: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** A copy of deploy/ in which commands of the page are typed: `docker` there only notes its words. */
export class Containers {
  readonly folder = mkdtempSync(join(tmpdir(), 'venue-containers-'));

  constructor() {
    cpSync(DEPLOY, join(this.folder, 'deploy'), { recursive: true });
    const docker = `#!/bin/sh\necho "$PWD: $*" >> ${this.folder}/asked\n`;
    writeFileSync(join(this.folder, 'docker'), docker, { mode: 0o755 });
  }

  /** A path in deploy/docker. */
  path(path: string): string {
    return join(this.folder, 'deploy/docker', path);
  }

  /** The commands that Docker was asked to run, each after the folder in which it was. */
  get asked(): string[] {
    return readFileSync(join(this.folder, 'asked'), 'utf8').trim().split('\n');
  }

  /**
   * The environment of a service's container, with paths of this machine in place of those in it. Throws what Docker
   * would say of a variable that has to be set.
   */
  environmentOf(name: string, file = 'compose.yaml'): Record<string, string> {
    const home = dirname(this.path(file));
    const { services, secrets } = this.#parsed(file);
    const set = parseEnv(readFileSync(join(home, '.env'), { encoding: 'utf8', flag: 'a+' }));
    const service: Service = services[name];
    const volume = join(this.folder, name);
    const places = new Map<string, string>([
      [VOLUME, volume],
      ['/tmp/', `${volume}/`],
      ['/etc/venue/vault.json', join(home, 'vault.json')],
      ...service.secrets.map((secret): [string, string] => [
        `/run/secrets/${secret}`,
        join(home, secrets[secret].file),
      ]),
    ]);
    return Object.fromEntries(
      Object.entries({ ...imageEnvironment(), ...service.environment }).map(([variable, value]) => [
        variable,
        [...places].reduce((text, [inside, here]) => text.replaceAll(inside, here), interpolated(value, set)),
      ]),
    );
  }

  commandOf(name: string, file = 'compose.yaml'): readonly string[] {
    return this.#parsed(file).services[name].command;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #parsed(file: string) {
    return parse(readFileSync(this.path(file), 'utf8'), { merge: true });
  }
}

/** Replaces variables by what the file .env beside the compose file sets. */
function interpolated(value: string, set: NodeJS.Dict<string>): string {
  return value.replaceAll(/\$\{(\w+):([-?])(.*?)\}/g, (_, variable: string, how: string, text: string) => {
    const found = set[variable] || (how === '-' ? text : undefined);
    if (found === undefined) throw new Error(`${variable}: ${text}`);
    return found;
  });
}

/** The environment that the image sets for every process. */
function imageEnvironment(): Record<string, string> {
  const dockerfile = readFileSync(join(DEPLOY, 'docker/Dockerfile'), 'utf8');
  const [, lines = ''] = /^ENV ((?:.*\\\n)*.*)/m.exec(dockerfile) ?? [];
  return Object.fromEntries(
    lines.split(/\s*\\?\n\s*|\s+/).map((word) => word.split('=') as [string, string]),
  );
}
