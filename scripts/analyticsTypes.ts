// Prints TypeScript types and a typed query builder for the catalog of analytics: `npm run --silent analytics:types -- --url <graph> --key <key>`.
import { printAnalyticsTypes } from './analytics/command.ts';

await printAnalyticsTypes(process.argv.slice(2));
