import { createElement, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import type { ConcreteRequest } from 'relay-runtime';
import type { Intent } from '../../../client/src/index.ts';
import { useIdempotentMutation } from '../../../client/src/react/index.ts';
import {
  type Adjust,
  type Adjustment,
  type ClientName,
  createRetryOptions,
  settleAdjustment,
  startClient,
} from '../../support/clients/adjustStock.ts';

// A page that adjusts stock with one client library. Tests control it by its global functions, because intents are objects that can’t leave the page.

export interface MutationPage {
  /** Starts the client of the page. Before each retry, it calls the global function `beforeRetry`. */
  start(name: ClientName, artifact: ConcreteRequest): void;
  /** Adjusts stock. Calls with the same key pass the same intent. */
  adjust(input: Adjustment, key: string): Promise<string>;
  /** Displays a component that adjusts stock with `useIdempotentMutation`. */
  show(input: Adjustment): void;
  /** Removes the component. */
  hide(): void;
}

declare global {
  var mutationPage: MutationPage;
  /** Defined by the test. */
  var beforeRetry: (reason: string) => Promise<void>;
}

let startedClient: Adjust | undefined;
const intents = new Map<string, Intent>();

const adjustStock: Adjust = (input, intent) => {
  if (!startedClient) throw new Error('No client has been started.');
  return startedClient(input, intent);
};

/** Appends a line to the log of the page, which is outside the component. */
function log(line: string): void {
  document.querySelector('#log')?.append(`${line}\n`);
}

function Adjustments({ input }: { readonly input: Adjustment }) {
  const { run, state } = useIdempotentMutation(adjustStock);
  const [count, setCount] = useState(0);
  useEffect(() => () => log('unmounted'), []);
  const click = async () => {
    setCount((clicks) => clicks + 1);
    const settled = await run(input);
    log(settled.status === 'succeeded' ? settled.value : settled.status);
  };
  return createElement('div', null, [
    createElement('button', { key: 'adjust', type: 'button', onClick: click }, 'Adjust'),
    'retry' in state && createElement('button', { key: 'retry', type: 'button', onClick: state.retry }, 'Retry'),
    createElement('output', { key: 'state' }, `${state.status}${state.status === 'succeeded' ? ` ${state.value}` : ''}`),
    createElement('small', { key: 'clicks' }, `Clicks: ${count}`),
  ]);
}

const rootElement = document.createElement('main');
const logElement = document.createElement('pre');
logElement.id = 'log';
document.body.append(rootElement, logElement);
const root = createRoot(rootElement);

globalThis.mutationPage = {
  start: (name, artifact) => {
    const retry = createRetryOptions((reason) => globalThis.beforeRetry(reason));
    startedClient = startClient(name, { url: `${location.origin}/graphql`, retry, artifact });
  },
  adjust: (input, key) => {
    const intent = intents.get(key) ?? { key };
    intents.set(key, intent);
    return settleAdjustment(adjustStock(input, intent));
  },
  show: (input) => root.render(createElement(Adjustments, { input })),
  hide: () => root.render(null),
};
