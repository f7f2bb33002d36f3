// Loaded with `--import` by programs that tests start. `KILL_AFTER=renameSync:2` kills the process after the second call of this function of node:fs.
// `FULL_AFTER=writeSync:2` makes later calls fail as if the disk were full. `MISSING_PACKAGE=name` makes imports of a package fail.
import fs from 'node:fs';
import { registerHooks, syncBuiltinESMExports } from 'node:module';

type AnyFunction = (...args: unknown[]) => unknown;

const functions = fs as unknown as Record<string, AnyFunction>;

/** Replaces the function of a fault. `act` receives the number of the call, the arguments, and the original function. */
function replace(fault: string | undefined, act: (call: number, last: number, original: () => unknown) => unknown): void {
  const [name = '', last] = fault?.split(':') ?? [];
  const original = functions[name];
  if (!original) return;
  let calls = 0;
  functions[name] = (...args) => {
    calls += 1;
    return act(calls, Number(last), () => original(...args));
  };
}

replace(process.env.KILL_AFTER, (call, last, original) => {
  const result = original();
  if (call === last) process.kill(process.pid, 'SIGKILL');
  return result;
});
replace(process.env.FULL_AFTER, (call, last, original) => {
  if (call <= last) return original();
  throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC', syscall: 'write' });
});
syncBuiltinESMExports();

const { MISSING_PACKAGE } = process.env;
registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier === MISSING_PACKAGE) throw new Error(`Cannot find package '${specifier}'.`);
    return next(specifier, context);
  },
});
