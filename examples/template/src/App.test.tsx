import { cleanup, configure, fireEvent, render, within } from '@testing-library/react';
import { createTestGraph, type TestGraph } from '@workspace-graph/client/testing';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { App } from './App.tsx';

afterEach(cleanup);
configure({ asyncUtilTimeout: 20_000 });

/** Starts a graph with the same demo data for each test. */
async function startGraph(): Promise<TestGraph> {
  const graph = await createTestGraph({ settings: { CORS_ORIGINS: location.origin } });
  onTestFinished(() => graph.close());
  return graph;
}

/** Signs in, in a window of its own, and opens a quote. Returns a function that saves a quantity and waits for a message. */
async function openQuote({ url, keys }: TestGraph) {
  sessionStorage.clear();
  const page = within(render(<App graphUrl={url} />).container);
  fireEvent.change(page.getByLabelText('API key'), { target: { value: keys.owner } });
  fireEvent.click(page.getByRole('button', { name: 'Sign in' }));
  fireEvent.click(await page.findByRole('button', { name: /^Q-00203/ }));
  const quantity = await page.findByLabelText('Cable set Basic 26');
  return async (value: number, button: string, message: RegExp) => {
    fireEvent.change(quantity, { target: { value } });
    fireEvent.click(page.getByRole('button', { name: button }));
    await page.findByText(message);
  };
}

test('saves a quantity with one call', async () => {
  const graph = await startGraph();
  const save = await openQuote(graph);
  await save(7, 'Save', /^Saved/);
  expect(graph.calls.filter(({ operation }) => operation === 'Quote/UpdateQuote')).toHaveLength(1);
});

test('shows what was saved in the meantime before it’s replaced', async () => {
  const graph = await startGraph();
  const [save, saveElsewhere] = [await openQuote(graph), await openQuote(graph)];
  await saveElsewhere(3, 'Save', /^Saved/);
  await save(7, 'Save', /changed to 3 × Cable set Basic 26/);
  await save(7, 'Save anyway', /^Saved/);
  await saveElsewhere(5, 'Save', /changed to 7 × Cable set Basic 26/);
});
