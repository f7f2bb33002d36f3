// SBOMs in the format CycloneDX 1.6. Not by `npm sbom`: it knows no bundles, and its `--omit=dev` leaves out packages that development needs, too.
import type { Lock } from './serverManifest.ts';

interface Component {
  readonly type: 'application' | 'container' | 'library';
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly hashes?: readonly { readonly alg: 'SHA-512'; readonly content: string }[];
  readonly licenses?: readonly { readonly expression: string }[];
}

/** A package by its name, with what is known about it. */
interface Package {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly integrity?: string;
}

/** A package of npm. */
export function createNpmComponent(type: Component['type'], { name, version, license, integrity }: Package): Component {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const content = integrity?.startsWith('sha512-') ? Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex') : undefined;
  return {
    type,
    'bom-ref': purl,
    name,
    version,
    purl,
    ...(content && { hashes: [{ alg: 'SHA-512', content }] }),
    licenses: [{ expression: license }],
  };
}

/** A package of Debian. Its license texts are in the image, in /usr/share/doc. */
export function createDebianComponent(name: string, version: string, architecture: string): Component {
  const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}`;
  return { type: 'library', 'bom-ref': purl, name, version, purl };
}

/** The packages with these keys in a lockfile, each version once, although it can be installed in several folders. */
export function listNpmComponents(paths: readonly string[], { packages }: Lock): readonly Component[] {
  const components = paths.flatMap((path) => {
    const locked = packages[path];
    return locked && path !== '' ? [createNpmComponent('library', { ...locked, name: path.replace(/^.*node_modules\//, '') })] : [];
  });
  return [...new Map(components.map((component) => [component.purl, component])).values()];
}

/** The container image with a digest. */
export function createImageComponent({ name, version }: Package, digest: string): Component {
  const purl = `pkg:oci/${name}@${encodeURIComponent(digest)}?tag=${version}`;
  return { type: 'container', 'bom-ref': purl, name, version, purl };
}

export const createSbom = (subject: Component, components: readonly Component[]) => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: { component: subject },
  components: components.toSorted((one, other) => (one.purl < other.purl ? -1 : 1)),
});
