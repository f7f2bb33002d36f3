import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../scripts/release/pack/files.ts';

/** The part of an image's configuration that a process is started with. */
export interface ImageConfig {
  /** `<user>:<group>`, by number. */
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly WorkingDir: string;
}

/** Builds images without a daemon. Its images and containers are stored in a folder of its own. */
export class Buildah {
  readonly #options: readonly string[];

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    // The driver that needs neither a kernel module nor a mount, so that it also works in a container.
    this.#options = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'state'), '--storage-driver', 'vfs'];
  }

  #run(command: string, ...args: readonly string[]): string {
    return run('buildah', [...this.#options, command, ...args]).trim();
  }

  /** Builds a Dockerfile. With the same files, the image has the same digest, because all timestamps are 0. */
  build(name: string, file: string, context: string, options: readonly string[] = []): void {
    // Without RUN instructions, the isolation doesn't matter, but the default one is checked for.
    this.#run('build', '--quiet', '--timestamp', '0', '--isolation', 'chroot', '--file', file, '--tag', name, ...options, context);
  }

  /** Writes an image as an OCI archive, and the digest of its manifest to another file. Returns the digest. */
  writeArchive(name: string, file: string, tag: string, digestFile: string): string {
    this.#run('push', '--quiet', '--digestfile', digestFile, name, `oci-archive:${file}:${tag}`);
    return readFileSync(digestFile, 'utf8').trim();
  }

  readConfig(name: string): ImageConfig {
    const { OCIv1 } = JSON.parse(this.#run('inspect', '--type', 'image', name)) as { readonly OCIv1: { readonly config: ImageConfig } };
    return OCIv1.config;
  }

  /** Returns the path of an image's root file system. */
  mount(name: string): string {
    return this.#run('mount', this.#run('from', name));
  }
}
