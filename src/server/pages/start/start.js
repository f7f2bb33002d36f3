// @ts-check
// Runs the examples of the start page. Queries and mutations are ordinary requests to /graphql; only the demonstrations that lose responses run in the server.

/**
 * @typedef {{ message: string, extensions: { missingScopes?: string[] } }} GraphError
 * @typedef {{ quoteCreate?: { __typename: string, candidates?: { referenceNumber: string, title: string, totalOnce: { amount: string, currencyCode: string } }[] } }} Outcome
 * @typedef {{ operation: string, idempotencyKey: string | null, isLost: boolean }} Call
 * @typedef {{ requests: { query: string, variables: object, response: Outcome }[], calls: Call[], stock?: { product: string, location: string, before: number, after: number } }} Demonstrated
 */

/**
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {HTMLElement}
 */
const find = (selector, root = document) => {
  const found = root.querySelector(selector);
  if (found instanceof HTMLElement) return found;
  throw new Error(`The page has no ${selector}.`);
};

/**
 * @param {string} tag
 * @param {(string | Node)[]} children
 */
const create = (tag, ...children) => {
  const element = document.createElement(tag);
  element.append(...children);
  return element;
};

const OWNER = 'demo-owner';

/** A unique idempotency key. `randomUUID` doesn't exist in pages without HTTPS, such as this server's on its network. */
const createKey = () => [...crypto.getRandomValues(new Uint32Array(4))].map((word) => word.toString(16)).join('-');

/**
 * @param {string} query
 * @param {object} [variables]
 */
const request = (query, variables = {}, key = OWNER, accept = 'application/json') =>
  fetch('/graphql', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept },
    body: JSON.stringify({ query, variables }),
  });

const execute = async (/** @type {Parameters<typeof request>} */ ...args) => (await request(...args)).json();

/**
 * Opens GraphiQL with a query and a key, which its panel reads from the fragment. Servers don't receive that.
 * @param {string} query
 * @param {object} variables
 * @param {string} key
 */
const openGraphiql = (query, variables, key) =>
  location.assign(`/graphql#${new URLSearchParams({ query, variables: JSON.stringify(variables, null, 2), key })}`);

/** @param {Record<string, string | number>} numbers */
const renderNumbers = (numbers) => {
  const list = create(
    'dl',
    ...Object.entries(numbers).map(([name, value]) => create('div', create('dt', name), create('dd', String(value)))),
  );
  list.className = 'numbers';
  return list;
};

/**
 * @param {string} label
 * @param {unknown} value
 */
const renderJson = (label, value) => {
  const text = create('pre', JSON.stringify(value, null, 2));
  text.tabIndex = 0;
  text.setAttribute('role', 'region');
  text.setAttribute('aria-label', label);
  return text;
};

/**
 * Runs a button's action, and displays its result or its failure.
 * @param {HTMLElement} button
 * @param {HTMLElement} output
 * @param {() => Promise<(string | Node)[]>} act
 */
async function run(button, output, act) {
  if (button.getAttribute('aria-disabled') === 'true') return;
  button.setAttribute('aria-disabled', 'true');
  try {
    output.replaceChildren(...(await act()));
  } catch (error) {
    output.replaceChildren(`This failed: ${error instanceof Error ? error.message : error}`);
  } finally {
    button.removeAttribute('aria-disabled');
  }
}

const QUOTES = `query Quotes {
  customersByIdentifier(
    by: { referenceNumber: "C-000001" }
  ) {
    title
    quotes(first: 100) {
      nodes {
        referenceNumber
        totalOnce { amount currencyCode }
        customer { title }
        lines { quantity product { name } }
      }
    }
  }
}`;

function startQuery() {
  const section = find('#query');
  find('.query', section).textContent = QUOTES;
  const button = find('.run', section);
  const act = () =>
    run(button, find('.output', section), async () => {
      const startedAt = performance.now();
      const result = await execute(QUOTES);
      const ms = Math.round(performance.now() - startedAt);
      const cost = result.extensions?.cost;
      if (!cost) throw new Error(result.errors?.[0]?.message ?? 'The response has no cost.');
      const { actualCalls, savedCalls } = cost;
      return [
        renderNumbers({ 'Upstream calls': actualCalls, Milliseconds: ms, 'Calls with one per record': actualCalls + savedCalls }),
        create(
          'p',
          `Reported by `,
          create('code', 'extensions.cost'),
          `. The last number is for a facade that fetches each record that isn’t on a page by its ID, once per request. The graph saved ${savedCalls} of these calls by reading list pages instead. Without a cache for the request, there would be more. The time was measured in this page.`,
        ),
        create('details', create('summary', 'Response'), renderJson('Response', result)),
      ];
    });
  button.addEventListener('click', act);
  find('.open', section).addEventListener('click', () => openGraphiql(QUOTES, {}, OWNER));
  return act();
}

/** @param {Demonstrated} demonstrated */
function renderDemonstrated({ requests, calls, stock }) {
  const items = calls.map(({ operation, idempotencyKey, isLost }) =>
    create(
      'li',
      create('code', operation),
      idempotencyKey === null ? '' : ` with key ${idempotencyKey.slice(0, 8)}…`,
      isLost ? create('strong', ' response lost') : '',
    ),
  );
  const [first] = requests;
  const created = first?.response.quoteCreate;
  const [candidate] = created?.candidates ?? [];
  const moved = stock ? stock.after - stock.before : 0;
  const verdict = create('p', moved > 1 ? 'Moved twice: one unit too many.' : 'Moved once, as requested.');
  verdict.className = moved > 1 ? 'wrong' : 'right';
  const open = create('button', 'Open in GraphiQL');
  open.className = 'graphiql';
  open.addEventListener('click', () => first && openGraphiql(first.query, first.variables, OWNER));
  return [
    ...(stock ? [verdict] : []),
    stock
      ? renderNumbers({ 'Units requested': 1, 'Units moved': moved })
      : renderNumbers({
          Creations: calls.filter(({ operation }) => operation === 'Quote/CreateQuote').length,
          Result: created?.__typename ?? 'none',
        }),
    create(
      'p',
      stock
        ? `${stock.product} in ${stock.location}: ${stock.before} before, ${stock.after} after.`
        : candidate
          ? `Candidate: quote ${candidate.referenceNumber}, “${candidate.title}”, ${candidate.totalOnce.amount} ${candidate.totalOnce.currencyCode}.`
          : 'No candidates.',
    ),
    create('p', 'Calls that the upstream received:'),
    create('ol', ...items),
    ...requests.map(({ response }, index) =>
      create(
        'details',
        create('summary', index === 0 ? 'Response of the graph' : 'Response to the same mutation again'),
        renderJson('Response', response),
      ),
    ),
    ...(first ? [open] : []),
  ];
}

function startDemonstrations() {
  for (const pane of document.querySelectorAll('[data-demonstration]')) {
    if (!(pane instanceof HTMLElement)) continue;
    const button = find('.run', pane);
    button.addEventListener('click', () =>
      run(button, find('.output', pane), async () => {
        const response = await fetch(`/demonstrations/${pane.dataset.demonstration}`, { method: 'POST' });
        const body = await response.json();
        if (!response.ok) throw new Error(body.errors[0].message);
        return renderDemonstrated(body);
      }),
    );
  }
}

const ACCESS = `query Access {
  customersByIdentifier(by: { referenceNumber: "C-000001" }) { title email }
  products(first: 2) { nodes { name inventoryBalances(first: 1) { nodes { available } } } }
}`;

function startAccess() {
  const section = find('#access');
  find('.query', section).textContent = ACCESS;
  const select = /** @type {HTMLSelectElement} */ (find('select', section));
  const [left, right] = section.querySelectorAll('.panes .output');
  const title = find('.key', section);
  /** @param {string} key */
  const query = async (key) => {
    /** @type {{ data: unknown, errors?: GraphError[] }} */
    const { data, errors = [] } = await execute(ACCESS, {}, key);
    const missing = errors.flatMap(({ extensions }) => extensions.missingScopes ?? []);
    const text = missing.length > 0 ? `Missing scopes: ${missing.join(', ')}.` : errors.length > 0 ? 'Rejected.' : 'No errors.';
    return [
      create('p', text),
      renderJson(`Response for ${key}`, { data, ...(errors.length > 0 && { errors: errors.map(({ message }) => message) }) }),
    ];
  };
  const button = find('.run', section);
  button.addEventListener('click', () => {
    title.textContent = select.value;
    for (const [pane, key] of /** @type {const} */ ([
      [left, OWNER],
      [right, select.value],
    ]))
      if (pane instanceof HTMLElement) run(create('button'), pane, () => query(key));
  });
  select.addEventListener('change', () => button.click());
  find('.open', section).addEventListener('click', () => openGraphiql(ACCESS, {}, select.value));
}

const CUSTOMER = 'query Customer { customersByIdentifier(by: { referenceNumber: "C-000001" }) { id title } }';
const UPDATE = `mutation Rename($input: CustomerUpdateInput!) {
  customerUpdate(input: $input) { ... on CustomerUpdatePayload { effect } ... on MutationError { message } }
}`;
const WATCH = 'subscription Watch($ids: [ID!]!) { recordsChanged(types: [CUSTOMER], ids: $ids) { ids isTruncated } }';
const WATCHER = 'demo-sales';

/**
 * Calls `onSignal` for every signal of a subscription. The first one confirms it.
 * @param {string} id
 * @param {(signal: { ids: string[], isTruncated: boolean }) => void} onSignal
 */
async function subscribe(id, onSignal) {
  const response = await request(WATCH, { ids: [id] }, WATCHER, 'text/event-stream');
  const retryAfter = Number(response.headers.get('retry-after'));
  if (!response.ok && retryAfter > 0) {
    await new Promise((resolve) => setTimeout(resolve, retryAfter * 1000));
    return subscribe(id, onSignal);
  }
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let received = '';
  let endsWithCr = false;
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    // Lines can end with CRLF, LF, or CR. The first half of CRLF has already ended its line.
    const text = endsWithCr ? part.value.replace(/^\n/, '') : part.value;
    endsWithCr = part.value.endsWith('\r');
    const events = (received + text.replaceAll(/\r\n?/g, '\n')).split('\n\n');
    received = events.pop() ?? '';
    for (const event of events) {
      const lines = event.split('\n').filter((line) => line.startsWith('data:'));
      const data = lines
        .map((line) => line.slice('data:'.length))
        .join('\n')
        .trim();
      const result = data ? JSON.parse(data) : {};
      if (result.errors) throw new Error(result.errors[0].message);
      if (result.data) onSignal(result.data.recordsChanged);
    }
  }
}

async function startLive() {
  const form = /** @type {HTMLFormElement} */ (find('#live form'));
  const input = /** @type {HTMLInputElement} */ (find('input', form));
  const [title, output] = [find('.watched .title'), find('.watched .output')];
  const fetchCustomer = async () => (await execute(CUSTOMER, {}, WATCHER)).data?.customersByIdentifier?.[0];
  const { id, title: before } = (await fetchCustomer()) ?? {};
  if (!id) return;
  input.value = before;
  title.textContent = before;
  /** @type {Promise<void> | undefined} */
  let subscribed;
  let signals = 0;
  const watch = () =>
    new Promise((resolve) => {
      const end = (/** @type {string} */ text) => {
        subscribed = undefined;
        output.textContent = text;
        resolve(undefined);
      };
      subscribe(id, async ({ ids, isTruncated }) => {
        resolve(undefined);
        if (isTruncated) output.textContent = 'Subscribed.';
        if (ids.length === 0) return;
        signals += 1;
        title.textContent = (await fetchCustomer())?.title;
        output.textContent = `Received ${signals} ${signals === 1 ? 'signal' : 'signals'} and refetched the customer.`;
      }).then(
        () => end('The subscription ended.'),
        (error) => end(`The subscription failed: ${error.message}`),
      );
    });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    run(find('button', form), find('.output', form), async () => {
      subscribed ??= watch();
      await subscribed;
      const { data, errors } = await execute(UPDATE, {
        input: { customerId: id, title: input.value, idempotencyKey: createKey() },
      });
      return [errors?.[0]?.message ?? data.customerUpdate.message ?? `Saved: ${data.customerUpdate.effect}.`];
    });
  });
}

function startCopying() {
  for (const origin of document.querySelectorAll('.origin')) origin.textContent = location.origin;
  const status = find('.copied');
  for (const button of document.querySelectorAll('.copy')) {
    const text = button.previousElementSibling;
    if (text === null) throw new Error('A button has nothing to copy.');
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(text.textContent);
        status.textContent = `Copied: ${text.textContent}`;
      } catch {
        // Some browsers have no clipboard, or deny access to it.
        getSelection()?.selectAllChildren(text);
        status.textContent = 'Press Ctrl+C or ⌘C to copy the selected text.';
      }
    });
  }
}

startCopying();
startDemonstrations();
startAccess();
startQuery();
startLive();
