import { inspect } from 'node:util';
import { escapeLines } from './printableText.ts';
import { getErrorCode, StartError } from './startup.ts';

/** Exits with status 1 and prints the reason: one line for a problem that the operator can fix, and a stack trace for anything else. */
export function exitWithError(error: unknown): never {
  console.error(escapeLines(error instanceof StartError ? error.message : inspect(error)));
  process.exit(1);
}

/** Exit status of a process that was ended by SIGPIPE, as shells report it. */
const SIGPIPE_STATUS = 141;
/** Not 1, which `verify` uses to report drift. */
const OUTPUT_FAILED_STATUS = 2;

/**
 * Makes a program that prints results exit if it can't print them: without a message if a pipe's reader has exited (such as `head`), and with the reason
 * otherwise. Not for servers, which must keep running.
 */
export function exitOnOutputError(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: unknown) => {
      if (getErrorCode(error) === 'EPIPE') process.exit(SIGPIPE_STATUS);
      console.error(`Can’t write the output: ${(error as Error).message}`);
      process.exit(OUTPUT_FAILED_STATUS);
    });
}
