import { spawnSync } from 'node:child_process';

/** The Debian packages of programs whose names differ. */
const PACKAGES: Readonly<Record<string, string>> = { 'apt-get': 'apt', 'dpkg-deb': 'dpkg' };

/** The Debian packages of those programs that aren't installed. */
export const findMissingPrograms = (programs: readonly string[]): string[] =>
  programs.filter((program) => spawnSync(program, ['--version']).error).map((program) => PACKAGES[program] ?? program);
