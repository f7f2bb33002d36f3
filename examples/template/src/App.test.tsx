import { MantineProvider } from '@mantine/core';
import { createMemoryHistory } from '@tanstack/react-router';
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

/** Opens the app in a window of its own, and signs in. */
function open({ url, keys }: TestGraph, key = keys.owner) {
  sessionStorage.clear();
  const app = <App graphUrl={url} history={createMemoryHistory()} />;
  const page = within(render(app, { wrapper: MantineProvider }).container);
  fireEvent.change(page.getByLabelText(/^API key/), { target: { value: key } });
  fireEvent.click(page.getByRole('button', { name: 'Sign in' }));
  return page;
}

/** Opens the form of a quote. Returns a function that saves a quantity and waits for a text. */
async function openForm(graph: TestGraph) {
  const page = open(graph);
  fireEvent.click(await page.findByRole('link', { name: 'Q-00203' }));
  fireEvent.click(await page.findByRole('link', { name: 'Change quantities' }));
  const quantity = await page.findByLabelText(/^Cable set Basic 26/);
  return async (value: number, button: string, text: RegExp) => {
    fireEvent.change(quantity, { target: { value } });
    fireEvent.click(page.getByRole('button', { name: button }));
    await page.findByText(text);
  };
}

test('saves a quantity with one call', async () => {
  const graph = await startGraph();
  const save = await openForm(graph);
  await save(7, 'Save', /^Created/);
  expect(graph.calls.filter(({ operation }) => operation === 'Quote/UpdateQuote')).toHaveLength(1);
});

test('shows what was saved in the meantime before it’s replaced', async () => {
  const graph = await startGraph();
  const [save, saveElsewhere] = [await openForm(graph), await openForm(graph)];
  await saveElsewhere(3, 'Save', /^Created/);
  await save(7, 'Save', /changed this quote to 3 × Cable set Basic 26/);
  await save(7, 'Save anyway', /^Created/);
});

test('returns to the form if the graph rejects the key', async () => {
  const page = open(await startGraph(), 'wrong');
  await page.findByText(/^The API key is invalid/);
  expect(page.getByLabelText(/^API key/)).toHaveProperty('value', '');
});
