import { exitOnOutputError } from '../lib/startup.ts';
import { EXIT, runCommand, terminal } from './command.ts';

exitOnOutputError();
process.exitCode = await runCommand(process.argv.slice(2), process.env, terminal).catch((error: unknown) => {
  console.error(error);
  return EXIT.failed;
});
