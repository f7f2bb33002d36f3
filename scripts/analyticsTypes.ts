// Prints TypeScript types and a typed query builder for the catalog of analytics: `npm run --silent analytics:types -- --url <graph> --key <key>`.
import { endWithOutput } from '../src/lib/starting.ts';
import { printAnalyticsTypes } from './analytics/command.ts';

endWithOutput();
await printAnalyticsTypes(process.argv.slice(2));
