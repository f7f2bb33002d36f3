import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const page = readFileSync('docs/clients.md', 'utf8');

// They are type-checked with all other files, and newerFailure.test.ts runs them.
it.each(['examples/caches/apollo.ts', 'examples/caches/urql.ts'])('docs/clients.md contains %s unchanged', (file) => {
  expect(page).toContain(`[\`${file}\`](../${file}):\n\n\`\`\`ts\n${readFileSync(file, 'utf8')}\`\`\``);
});
