import starlight from '@astrojs/starlight';
import { defineConfig } from 'astro/config';

const page = (label: string, slug: string) => ({ label, slug });

/** Pages are written by `build.ts`, from docs/ and from the schema; the order of the sidebar is that of docs/README.md. */
export default defineConfig({
  outDir: '../../build/site',
  // Links are relative to the root: the site may be served by anything that serves files.
  trailingSlash: 'always',
  devToolbar: { enabled: false },
  integrations: [
    starlight({
      title: 'Workspace Graph',
      description: 'A GraphQL server for the Workspace Integration API.',
      pagefind: true,
      lastUpdated: false,
      credits: false,
      customCss: ['./src/styles.css'],
      sidebar: [
        { label: 'Start', items: [page('Quick start', 'quick-start'), page('Sandbox', 'sandbox'), page('Concepts', 'concepts')] },
        {
          label: 'Use',
          items: [
            page('Relay, Apollo Client, urql', 'clients'),
            page('Federation', 'supergraph'),
            page('Analytics', 'analytics'),
            page('Analytics SQL', 'analytics-sql'),
            page('Agent tools', 'agents'),
            page('Tool list', 'reference/tools'),
          ],
        },
        {
          label: 'Operate',
          items: [
            page('Production', 'production'),
            page('Deployment', 'deployment'),
            page('Configuration', 'configuration'),
            page('Telemetry', 'telemetry'),
            page('Upgrading', 'upgrading'),
            page('verify and can', 'verify'),
            page('Contract overlays', 'overlay'),
          ],
        },
        {
          label: 'Evaluate',
          items: [
            page('Reliability guarantees', 'reliability'),
            page('Security', 'security'),
            page('Versioning', 'versioning'),
            page('Performance', 'performance'),
            page('Comparison', 'comparison'),
            page('Assumptions', 'assumed'),
          ],
        },
        { label: 'Reference', collapsed: true, items: [{ autogenerate: { directory: 'reference' } }] },
        {
          label: 'Contribute',
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
