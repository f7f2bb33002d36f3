// Starts programs with runc, as strictly as deploy/base/deployment.yaml: with a read-only root file system, and without root and capabilities.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { run, writeJson } from '../../scripts/release/pack/files.ts';
import { startProgram } from '../../test/support/program.ts';

/** Paths of this machine, by their paths in the container. */
type Mounts = Readonly<Record<string, string>>;

export interface ContainerOptions {
  /** Path of the root file system. */
  readonly root: string;
  readonly args: readonly string[];
  readonly env: readonly string[];
  readonly cwd: string;
  /** `<user>:<group>`, by number. */
  readonly user: string;
  readonly mounts?: Mounts;
}

/** How long a program that exits on its own can run, in milliseconds. Chosen: ten times what the slowest takes on an idle machine. */
const RUN_MS = 30_000;

const CAPABILITY_SETS = ['ambient', 'bounding', 'effective', 'inheritable', 'permitted'];

/**
 * The configuration of a container (https://github.com/opencontainers/runtime-spec/blob/v1.0.2/config.md). It has the network of this machine, so that its
 * ports can be reached, and neither limits nor control groups, which a container around it may not permit.
 */
const createConfiguration = ({ root, args, env, cwd, user, mounts = {} }: ContainerOptions) => ({
  ociVersion: '1.0.2',
  root: { path: root, readonly: true },
  process: {
    terminal: false,
    args,
    env,
    cwd,
    user: { uid: Number(user.split(':')[0]), gid: Number(user.split(':')[1]) },
    noNewPrivileges: true,
    capabilities: Object.fromEntries(CAPABILITY_SETS.map((set) => [set, []])),
  },
  mounts: [
    { destination: '/proc', type: 'proc', source: 'proc' },
    { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'mode=755', 'size=64k'] },
    ...Object.entries(mounts).map(([destination, source]) => ({ destination, type: 'bind', source, options: ['rbind'] })),
  ],
  linux: { namespaces: ['pid', 'ipc', 'uts', 'mount'].map((type) => ({ type })) },
});

/** A running container. */
export interface Container {
  readonly url: string;
  /** Runs a program in the container. Returns its output. */
  readonly run: (...args: readonly string[]) => string;
  /** Sends SIGTERM. Fulfilled with the exit status. */
  readonly terminate: () => Promise<number | null>;
}

/** Starts containers, whose configurations it writes to a folder. */
export class Runc {
  readonly #work: string;
  readonly #names: string[] = [];

  constructor(work: string) {
    this.#work = work;
  }

  /** The arguments of a command of runc. */
  #command(command: string, ...args: readonly string[]): string[] {
    return ['--root', join(this.#work, 'state'), command, ...args];
  }

  /** Writes the configuration of a container. Returns its name, and the arguments that start it. */
  #prepare(options: ContainerOptions) {
    const name = `image-${process.pid}-${this.#names.length}`;
    const bundle = join(this.#work, name);
    mkdirSync(bundle, { recursive: true });
    writeJson(join(bundle, 'config.json'), createConfiguration(options));
    this.#names.push(name);
    return { name, args: this.#command('run', '--bundle', bundle, name) };
  }

  /** Starts a server. Fulfilled when its output matches `address`, whose first group is the URL. */
  async start(options: ContainerOptions, address: RegExp): Promise<Container> {
    const { name, args } = this.#prepare(options);
    const { child, url } = await startProgram(args, {}, address, 'runc');
    return {
      url,
      run: (...program) => run('runc', this.#command('exec', name, ...program)),
      terminate: async () => {
        const exit = once(child, 'exit');
        run('runc', this.#command('kill', name, 'TERM'));
        const [status] = await exit;
        return status;
      },
    };
  }

  /** Runs a program that exits on its own. The status is null if it doesn't. */
  run(options: ContainerOptions): { readonly status: number | null; readonly output: string } {
    const { status, stdout, stderr } = spawnSync('runc', this.#prepare(options).args, { encoding: 'utf8', timeout: RUN_MS });
    return { status, output: stdout + stderr };
  }

  /** Why containers can't be started on this machine, independently of the image: runs a program of the machine. Undefined if they can. */
  findProblem(): string | undefined {
    const root = join(this.#work, 'empty');
    mkdirSync(root, { recursive: true });
    const mounts = Object.fromEntries(['/bin', '/lib', '/lib64', '/usr'].filter(existsSync).map((path) => [path, path]));
    const { status, output } = this.run({ root, args: ['/bin/true'], env: [], cwd: '/', user: '1000:1000', mounts });
    return status === 0 ? undefined : output.trim();
  }

  /** Kills the containers that still run. */
  close(): void {
    for (const name of this.#names) spawnSync('runc', this.#command('delete', '--force', name));
  }
}
