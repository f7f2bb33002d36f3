// Prints the subgraph schema, as configured by the environment. With `--client`, prints the client schema.
import '../help.ts';
import { createGraph } from '../../src/graph.ts';
import { exitOnOutputError } from '../../src/lib/exit.ts';
import { getSubgraphOptions, readConfig } from '../../src/server/settings/config.ts';
import { printClientSchema } from '../../src/subgraph/print.ts';

exitOnOutputError();
const { schema, sdl } = createGraph(getSubgraphOptions(readConfig(process.env)));
process.stdout.write(process.argv.includes('--client') ? printClientSchema(schema) : sdl);
