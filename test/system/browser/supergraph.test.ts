import { afterAll, beforeAll, expect, it } from 'vitest';
import { composeSupergraph, readSubgraph } from '../../../examples/supergraph/compose.ts';
import { serveGateway, WORKSPACE } from '../../../examples/supergraph/gateway.ts';
import type { ListeningServer } from '../../../examples/supergraph/listen.ts';
import { serveLoyalty } from '../../../examples/supergraph/loyalty.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { useBrowser } from './browser.ts';

const testGraph = useTestGraph();
const browser = useBrowser();
const opened: ListeningServer[] = [];
beforeAll(async () => {
  const loyalty = await serveLoyalty(0);
  opened.unshift(loyalty);
  const supergraph = composeSupergraph([
    await readSubgraph(WORKSPACE, `${testGraph.url}/graphql`),
    await readSubgraph('loyalty', `${loyalty.url}/graphql`),
  ]);
  const gateway = await serveGateway(supergraph, 0);
  opened.unshift(gateway);
  // The gateway creates its schema on the first request.
  await fetch(`${gateway.url}/graphql?query={__typename}`);
});
afterAll(async () => {
  for (const server of opened) await server.close();
});

it.each(['Vouchers', 'QuoteLoyalty'])('opens the tab %s with the first click', async (name) => {
  const { page, problems } = await browser.open(`${opened[0]?.url}/graphql`);
  const tab = page.getByRole('tab', { name });
  const { x = 0, y = 0, width = 0, height = 0 } = (await tab.boundingBox()) ?? {};
  // Click like a user at the visible position of the tab: Playwright's own click waits until the tab stops moving.
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.up();
  await page.locator('.graphiql-query-editor .view-lines').getByText(name).first().waitFor();
  expect(await page.locator('.graphiql-tab-active').innerText()).toContain(name);
  expect(problems).toEqual([]);
});
