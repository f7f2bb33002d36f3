import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import starlight from '@astrojs/starlight';
import { defineConfig } from 'astro/config';

const createItem = (label: string, slug: string) => ({ label, slug });

const REFERENCE = join(import.meta.dirname, 'src', 'content', 'docs', 'reference');

/** The areas of the generated reference: a group for those with several pages, and a link for the others. `shared` is the last one. */
const referenceItems = readdirSync(REFERENCE, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort((one, other) => Number(one === 'shared') - Number(other === 'shared') || one.localeCompare(other, 'en'))
  .map((area) => {
    const label = area.charAt(0).toUpperCase() + area.slice(1);
    const isGroup = readdirSync(join(REFERENCE, area)).length > 1;
    return isGroup ? { label, items: [{ autogenerate: { directory: `reference/${area}` } }] } : createItem(label, `reference/${area}`);
  });

/** `build.ts` writes the pages from docs/ and the schema. The sidebar has the same order as docs/README.md. */
export default defineConfig({
  // For canonical links and the sitemap. Unset where the site isn't published.
  ...(process.env.DOCS_URL && { site: process.env.DOCS_URL }),
  outDir: '../../build/site',
  // Links are absolute paths with a trailing slash, so that any static file server can serve the site.
  trailingSlash: 'always',
  devToolbar: { enabled: false },
  integrations: [
    starlight({
      title: 'Workspace Graph',
      description: 'A GraphQL server for the Workspace Integration API.',
      components: {
        MarkdownContent: './src/components/MarkdownContent.astro',
        PageTitle: './src/components/PageTitle.astro',
        Search: './src/components/Search.astro',
      },
      // Matches in the title of a guide rank higher (`PageTitle.astro`), and those in other titles like any heading.
      // With Starlight's other values, long pages of the reference rank before guides.
      pagefind: { ranking: { metaWeights: { title: 0, subject: 5 }, pageLength: 0.75, termFrequency: 1 } },
      lastUpdated: false,
      credits: false,
      customCss: ['./src/styles.css'],
      sidebar: [
        {
          label: 'Start',
          items: [createItem('Quick start', 'quick-start'), createItem('Sandbox', 'sandbox'), createItem('Concepts', 'concepts')],
        },
        {
          label: 'Use',
          items: [
            {
              label: 'Clients',
              items: [
                createItem('Overview', 'clients'),
                createItem('Client package', 'clients/package'),
                createItem('Read records', 'clients/reading'),
                createItem('Lists', 'clients/lists'),
                createItem('Mutations', 'clients/writing'),
                createItem('Errors', 'clients/errors'),
                createItem('Relay', 'clients/relay'),
                createItem('Apollo Client', 'clients/apollo'),
                createItem('urql', 'clients/urql'),
              ],
            },
            createItem('Federation', 'supergraph'),
            createItem('Search', 'search'),
            createItem('Live updates', 'live'),
            createItem('Analytics', 'analytics'),
            createItem('Analytics SQL', 'analytics-sql'),
            createItem('Export', 'export'),
            createItem('Import', 'import'),
            createItem('Agent tools', 'agents'),
            createItem('Tool list', 'reference/tools'),
          ],
        },
        {
          label: 'Operate',
          items: [
            createItem('Production', 'production'),
            createItem('Deployment', 'deployment'),
            createItem('Configuration', 'configuration'),
            createItem('Sign-in', 'sign-in'),
            createItem('Telemetry', 'telemetry'),
            createItem('Upgrading', 'upgrading'),
            createItem('verify and can', 'verify'),
            createItem('Contract overlays', 'overlay'),
          ],
        },
        {
          label: 'Evaluate',
          items: [
            createItem('Reliability guarantees', 'reliability'),
            createItem('Security', 'security'),
            createItem('Versioning', 'versioning'),
            createItem('Performance', 'performance'),
            createItem('Comparison', 'comparison'),
            createItem('Assumptions', 'assumed'),
          ],
        },
        { label: 'Reference', collapsed: true, items: [createItem('Overview', 'reference'), ...referenceItems] },
        {
          label: 'Contribute',
          collapsed: true,
          items: [
            createItem('Architecture', 'architecture'),
            createItem('Adding an operation', 'adding-an-operation'),
            createItem('Glossary', 'glossary'),
            createItem('Contributing', 'contributing'),
            createItem('Security reports', 'reporting'),
            createItem('Changelog', 'changelog'),
          ],
        },
        { label: 'Decisions', collapsed: true, items: [{ autogenerate: { directory: 'decisions' } }] },
      ],
    }),
  ],
});
