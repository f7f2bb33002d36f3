import { endWithOutput } from '../lib/starting.ts';
import { EXIT, runCommand, terminal } from './command.ts';

endWithOutput();
process.exitCode = await runCommand(process.argv.slice(2), process.env, terminal).catch((error: unknown) => {
  console.error(error);
  return EXIT.failed;
});
