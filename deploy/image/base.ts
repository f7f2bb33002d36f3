// The root file system of the base image: Debian's C and C++ libraries and Node.js. Without a shell or a package manager, which the process doesn't need and
// an attacker could use.
import { chmodSync, copyFileSync, existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from '../../scripts/release/pack/files.ts';
import { createDebianComponent } from '../../scripts/release/pack/sbom.ts';

/** The release whose packages are extracted. Its libraries run the binary of Node.js, as `node:…-bookworm-slim` does. */
const RELEASE = 'bookworm';
const SUITES = [`debian ${RELEASE}`, `debian ${RELEASE}-updates`, `debian-security ${RELEASE}-security`];
const MIRROR = 'http://deb.debian.org';
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** The libraries that Node.js is linked to. apt adds their dependencies. */
const LIBRARIES = ['libc6', 'libgcc-s1', 'libstdc++6'];

/** Without it, libc ignores /etc/hosts, and with it the `hostAliases` of a pod, where DNS responds. */
const NAME_SERVICES = 'hosts: files dns\n';

/** Debian packages of the programs and files that `createBase` uses and that may be missing. */
export const listMissingPackages = (): string[] => (existsSync(KEYRING) ? [] : ['debian-archive-keyring']);

/** Writes the configuration of an apt that neither knows nor changes the packages of this machine. */
function writeAptConfiguration(work: string, architecture: string): string {
  const state = join(work, 'apt');
  for (const folder of ['lists/partial', 'archives/partial']) mkdirSync(join(state, folder), { recursive: true });
  const sources = join(state, 'sources.list');
  writeFileSync(sources, SUITES.map((suite) => `deb [arch=${architecture} signed-by=${KEYRING}] ${MIRROR}/${suite} main\n`).join(''));
  writeFileSync(join(state, 'status'), '');
  const settings = {
    'Dir::State::lists': join(state, 'lists'),
    'Dir::State::status': join(state, 'status'),
    'Dir::Cache::archives': join(state, 'archives'),
    'Dir::Etc::sourcelist': sources,
    'Dir::Etc::sourceparts': '-',
    'Dir::Etc::preferencesparts': '-',
    'APT::Install-Recommends': 'false',
    // apt otherwise downloads as a user that can't write to the folder.
    'APT::Sandbox::User': 'root',
  };
  const file = join(state, 'apt.conf');
  writeFileSync(
    file,
    Object.entries(settings)
      .map(([name, value]) => `${name} "${value}";\n`)
      .join(''),
  );
  return file;
}

/** Downloads the libraries and their dependencies. Returns the paths of the packages. */
function downloadLibraries(work: string): string[] {
  const configuration = writeAptConfiguration(work, run('dpkg', ['--print-architecture']).trim());
  run('apt-get', ['--config-file', configuration, '--quiet=2', 'update']);
  run('apt-get', ['--config-file', configuration, '--quiet=2', '--yes', '--download-only', 'install', ...LIBRARIES]);
  return globSync(join(work, 'apt/archives/*.deb')).sort();
}

/**
 * Creates the root file system in `target`, with `node` as /usr/local/bin/node. `work` is an empty folder for downloads. Returns Debian's packages as components
 * of an SBOM, because the image has no package manager that lists them.
 */
export function createBase(target: string, node: string, work: string) {
  mkdirSync(target, { recursive: true });
  const components = downloadLibraries(work).map((file) => {
    run('dpkg-deb', ['--extract', file, target]);
    const [name = '', version = '', architecture = ''] = ['Package', 'Version', 'Architecture'].map((field) =>
      run('dpkg-deb', ['--field', file, field]).trim(),
    );
    return createDebianComponent(name, version, architecture);
  });
  writeFileSync(join(target, 'etc/nsswitch.conf'), NAME_SERVICES);
  for (const [source, path] of [
    [node, 'usr/local/bin/node'],
    [join(dirname(node), '../LICENSE'), 'usr/share/doc/nodejs/copyright'],
  ] as const) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    copyFileSync(source, join(target, path));
  }
  chmodSync(join(target, 'usr/local/bin/node'), 0o755);
  return components;
}
