// Prints the comment at the start of the script that imports this file first, if the script's only argument is `--help`.
import { readFileSync } from 'node:fs';

const [, script = '', argument] = process.argv;
if (argument === '--help') {
  const [comment = ''] = /^(?:\/\/.*\n)+/.exec(readFileSync(script, 'utf8')) ?? [];
  process.stdout.write(comment.replaceAll(/^\/\/ /gm, ''));
  process.exit();
}
