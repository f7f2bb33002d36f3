// @ts-check
// Panel next to GraphiQL: lists the examples by area, stores the API key of this tab, and adds field metadata to descriptions.
// The packaged GraphiQL accepts no plugins, so the panel is separate from it, and accesses its editors through Monaco's models, which are named like files.

/**
 * @typedef {{ title: string, name: string, area: string, query: string, variables?: string }} Example
 * @typedef {{ path: string, getValue(): string, setValue(text: string): void, uri: { path: string } }} Model
 * @typedef {{ name: string, description?: string | null }} Described
 */

(() => {
  /** @type {{ key: string, examples: Example[], facts: Record<string, string> }} */
  const data = JSON.parse(/** @type {HTMLElement} */ (document.getElementById('examples-data')).textContent ?? '');
  /** @param {string} id */
  const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
  const panel = element('examples');
  const toggle = element('examples-toggle');
  const keyField = /** @type {HTMLInputElement} */ (element('examples-key'));
  const searchField = /** @type {HTMLInputElement} */ (element('examples-search'));

  // The key is only stored for this tab, where other tabs and later visits can't read it.
  const STORED_KEY = 'workspace-graph:key';
  keyField.value = sessionStorage.getItem(STORED_KEY) ?? data.key;
  keyField.form?.addEventListener('submit', (event) => event.preventDefault());
  keyField.addEventListener('input', () => sessionStorage.setItem(STORED_KEY, keyField.value));

  // Documents have longer lines than responses. GraphiQL reads and updates this ratio of the two editors' widths, which users can drag.
  const STORED_RATIO = 'graphiql:editorFlex';
  if (localStorage.getItem(STORED_RATIO) === null) localStorage.setItem(STORED_RATIO, '1.8');

  /**
   * The headers of a request to the graph, with the key unless the header editor names one.
   * @param {HeadersInit | undefined} given
   */
  const withKey = (given) => {
    const headers = new Headers(given);
    const key = keyField.value.trim();
    if (key !== '' && !headers.has('authorization') && !headers.has('x-api-key')) headers.set('authorization', `Bearer ${key}`);
    return headers;
  };

  /**
   * The response to an introspection query, with each field's metadata added to the first paragraph of its description, which is the one that lists display.
   * @param {Response} response
   */
  const withFacts = async (response) => {
    const answer = await response.json();
    for (const type of answer.data?.__schema?.types ?? []) {
      for (const field of /** @type {Described[]} */ (type.fields ?? [])) {
        const fact = data.facts[`${type.name}.${field.name}`];
        if (!fact) continue;
        const [first = '', ...others] = (field.description ?? '').split('\n\n');
        field.description = [`${first} _${fact}_`.trim(), ...others].join('\n\n');
      }
    }
    const { status, headers } = response;
    return new Response(JSON.stringify(answer), { status, headers: { 'content-type': headers.get('content-type') ?? 'application/json' } });
  };

  const send = globalThis.fetch.bind(globalThis);
  globalThis.fetch = async (input, init) => {
    const { origin, pathname } = new URL(input instanceof Request ? input.url : input, location.href);
    if (origin !== location.origin || pathname !== location.pathname || input instanceof Request) return send(input, init);
    const response = await send(input, { ...init, headers: withKey(init?.headers) });
    // Only GraphiQL's own introspection query: the responses to user queries are displayed unchanged.
    const isIntrospection = typeof init?.body === 'string' && init.body.includes('query IntrospectionQuery');
    return isIntrospection && response.ok ? withFacts(response) : response;
  };

  /** @param {string} name */
  const modelNamed = (name) => {
    const { monaco } = /** @type {{ monaco?: { editor: { getModels(): Model[] } } }} */ (/** @type {unknown} */ (globalThis));
    return monaco?.editor.getModels().find(({ uri }) => uri.path.endsWith(name));
  };

  /** The text that the panel last inserted into the editor. It can be replaced, unlike the user's input. */
  let placed = data.examples[0]?.query ?? '';

  /** @param {Pick<Example, 'query' | 'variables'>} example */
  const open = ({ query, variables }) => {
    const operation = modelNamed('operation.graphql');
    const current = operation?.getValue().trim() ?? '';
    if (current !== '' && current !== placed.trim())
      /** @type {HTMLElement | null} */ (document.querySelector('.graphiql-tab-add'))?.click();
    // A new tab clears the editors in a separate task.
    setTimeout(() => {
      modelNamed('variables.json')?.setValue(variables ?? '');
      modelNamed('operation.graphql')?.setValue(query);
      placed = query;
    });
  };

  // A document that the start page opens, in this tab. The editors exist only after GraphiQL has started.
  const STORED_DOCUMENT = 'workspace-graph:document';
  const openStored = () => {
    if (!modelNamed('operation.graphql')) return void requestAnimationFrame(openStored);
    open(JSON.parse(sessionStorage.getItem(STORED_DOCUMENT) ?? ''));
    sessionStorage.removeItem(STORED_DOCUMENT);
  };
  if (sessionStorage.getItem(STORED_DOCUMENT) !== null) openStored();

  /** @param {boolean} isOpen */
  const show = (isOpen) => {
    panel.hidden = !isOpen;
    toggle.setAttribute('aria-expanded', String(isOpen));
  };
  const isSmall = () => matchMedia('(max-width: 900px)').matches;
  toggle.addEventListener('click', () => show(panel.hidden !== false));
  panel.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return;
    show(false);
    toggle.focus();
  });
  show(!isSmall());

  const list = element('examples-list');
  /** @param {Example} example */
  const itemOf = (example) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(example.name, Object.assign(document.createElement('small'), { textContent: example.title }));
    button.addEventListener('click', () => {
      open(example);
      for (const each of list.querySelectorAll('button')) each.removeAttribute('aria-current');
      button.setAttribute('aria-current', 'true');
      if (isSmall()) show(false);
    });
    const item = document.createElement('li');
    item.append(button);
    return item;
  };

  for (const area of new Set(data.examples.map((example) => example.area))) {
    const heading = Object.assign(document.createElement('h2'), { textContent: area });
    const items = document.createElement('ul');
    items.append(...data.examples.filter((example) => example.area === area).map(itemOf));
    const section = document.createElement('section');
    section.append(heading, items);
    list.append(section);
  }

  searchField.addEventListener('input', () => {
    const words = searchField.value.toLowerCase().split(/\s+/);
    for (const section of list.querySelectorAll('section')) {
      const items = [...section.querySelectorAll('li')];
      for (const item of items) {
        const text = `${section.querySelector('h2')?.textContent} ${item.textContent}`.toLowerCase();
        item.hidden = !words.every((word) => text.includes(word));
      }
      section.hidden = items.every((item) => item.hidden !== false);
    }
  });
})();
