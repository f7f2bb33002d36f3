import starlight from '@astrojs/starlight';
import { defineConfig } from 'astro/config';

const page = (label: string, slug: string) => ({ label, slug });

/** Pages are written by `build.ts`, from docs/ and from the schema; the order of the sidebar is that of docs/README.md. */
export default defineConfig({
  outDir: '../build/site',
  // Links are relative to the root: the site may be served by anything that serves files.
  trailingSlash: 'always',
  devToolbar: { enabled: false },
  integrations: [
    starlight({
      title: 'Workspace Graph',
      description: 'One typed, connected GraphQL graph over the Workspace Integration API.',
      pagefind: true,
      lastUpdated: false,
      credits: false,
      customCss: ['./src/styles.css'],
      sidebar: [
        { label: 'Start', items: [page('Quick start', 'quick-start'), page('The sandbox', 'sandbox'), page('Concepts', 'concepts')] },
        {
          label: 'Use it',
          items: [
            page('Relay, Apollo Client, urql', 'clients'),
            page('In a supergraph', 'supergraph'),
            page('Analytics', 'analytics'),
            page('Analytics SQL', 'analytics-sql'),
            page('Tools for agents', 'agents'),
          ],
        },
        {
          label: 'Run it',
          items: [
            page('Going to production', 'production'),
            page('Deployment', 'deployment'),
            page('Settings', 'configuration'),
            page('Telemetry', 'telemetry'),
            page('Upgrading', 'upgrading'),
            page('Is the contract right?', 'verify'),
            page('Overlays', 'overlay'),
          ],
        },
        {
          label: 'Trust it',
          items: [
            page('What is promised', 'reliability'),
            page('What is refused', 'security'),
            page('Versioning', 'versioning'),
            page('Performance', 'performance'),
            page('Beside others', 'comparison'),
            page('Assumed', 'assumed'),
          ],
        },
        { label: 'Reference', collapsed: true, items: [{ autogenerate: { directory: 'reference' } }] },
        {
          label: 'Work on it',
          collapsed: true,
          items: [
            page('Architecture', 'architecture'),
            page('Adding an operation', 'adding-an-operation'),
            page('Glossary', 'glossary'),
            page('Contributing', 'contributing'),
            page('Security reports', 'reporting'),
            page('Changelog', 'changelog'),
          ],
        },
        { label: 'Decisions', collapsed: true, items: [{ autogenerate: { directory: 'decisions' } }] },
      ],
    }),
  ],
});
