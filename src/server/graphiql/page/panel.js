// @ts-check
// Panel next to GraphiQL: lists the examples by area and the executed documents, stores the API key of this tab, and adds field metadata to descriptions.
// The packaged GraphiQL accepts no plugins, so the panel is separate from it, and accesses its editors through Monaco's models, which are named like files.

/**
 * @typedef {{ title: string, name: string, area: string, query: string, variables?: string }} Example
 * @typedef {Pick<Example, 'name' | 'query' | 'variables'>} Executed
 * @typedef {{ getValue(): string, setValue(text: string): void, onDidChangeContent(listener: () => void): void, uri: { path: string } }} Model
 * @typedef {{ name: string, description?: string | null }} Described
 */

(() => {
  const createMemoryStorage = () => {
    /** @type {Map<string, string>} */
    const items = new Map();
    return {
      get length() {
        return items.size;
      },
      key: (/** @type {number} */ index) => [...items.keys()][index] ?? null,
      getItem: (/** @type {string} */ name) => items.get(name) ?? null,
      setItem: (/** @type {string} */ name, /** @type {string} */ value) => void items.set(name, String(value)),
      removeItem: (/** @type {string} */ name) => void items.delete(name),
      clear: () => items.clear(),
    };
  };

  /** @type {{ key: string, demoKeys: { key: string, purpose: string }[], examples: Example[], facts: Record<string, string> }} */
  const data = JSON.parse(/** @type {HTMLElement} */ (document.getElementById('examples-data')).textContent ?? '');
  /** @param {string} id */
  const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
  const panel = element('examples');
  const toggle = element('examples-toggle');
  const keyField = /** @type {HTMLInputElement} */ (element('examples-key'));
  const searchField = /** @type {HTMLInputElement} */ (element('examples-search'));

  // A browser that blocks storage throws for every access, and GraphiQL doesn't start without storage. Its memory is lost with the page.
  for (const name of /** @type {const} */ (['localStorage', 'sessionStorage'])) {
    try {
      globalThis[name].length;
    } catch {
      Object.defineProperty(globalThis, name, { value: createMemoryStorage() });
    }
  }

  // What the start page links to: a document, and the demo key to use. In the fragment, because storage can be blocked.
  const linked = new URLSearchParams(location.hash.slice(1));
  const linkedQuery = linked.get('query');
  const linkedKey = linked.get('key');
  if (linkedQuery !== null) history.replaceState(null, '', location.pathname + location.search);

  // The key is only stored for this tab, where other tabs and later visits can't read it.
  const STORED_KEY = 'workspace-graph:key';
  // No other key, so that a link can't lead others to work with a key of its author.
  if (linkedKey !== null && data.demoKeys.some(({ key }) => key === linkedKey)) sessionStorage.setItem(STORED_KEY, linkedKey);
  keyField.value = sessionStorage.getItem(STORED_KEY) ?? data.key;
  keyField.form?.addEventListener('submit', (event) => event.preventDefault());
  keyField.addEventListener('input', () => sessionStorage.setItem(STORED_KEY, keyField.value));

  // Responses get 40 % of a window of 1280 pixels, and 30 % next to the documentation. GraphiQL reads and updates this ratio of the two editors' widths, which
  // users can drag.
  const STORED_RATIO = 'graphiql:editorFlex';
  if (localStorage.getItem(STORED_RATIO) === null) localStorage.setItem(STORED_RATIO, '1.1');

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
      // Fields for gateways, such as _entities, are the first ones of Query.
      type.fields?.sort(
        (/** @type {Described} */ one, /** @type {Described} */ other) =>
          Number(one.name.startsWith('_')) - Number(other.name.startsWith('_')),
      );
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
    // Only GraphiQL's own introspection query: the responses to user queries are displayed unchanged.
    const isIntrospection = typeof init?.body === 'string' && init.body.includes('query IntrospectionQuery');
    if (!isIntrospection) {
      showPane('response');
      // Another example opens next to one that was executed.
      placed = '';
      if (typeof init?.body === 'string') addToHistory(JSON.parse(init.body).operationName);
    }
    const response = await send(input, { ...init, headers: withKey(init?.headers) });
    return isIntrospection && response.ok ? withFacts(response) : response;
  };

  // Small screens display one of the two panes.
  const panes = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('#switch button'));
  /** @param {string | undefined} pane */
  const showPane = (pane) => {
    document.body.dataset.pane = pane;
    for (const button of panes) button.setAttribute('aria-pressed', String(button.dataset.pane === pane));
    // Closes the documentation, which covers both.
    if (matchMedia('(max-width: 600px)').matches)
      /** @type {HTMLElement | null} */ (document.querySelector('.graphiql-sidebar .active'))?.click();
  };
  for (const button of panes) button.addEventListener('click', () => showPane(button.dataset.pane));
  showPane('editors');

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
    showPane('editors');
  };

  /**
   * Explains the response pane while it's empty.
   * @param {Model} response
   */
  const addHint = (response) => {
    const hint = document.createElement('div');
    hint.id = 'response-hint';
    const keys = data.demoKeys.map(({ key, purpose }) => {
      const item = document.createElement('li');
      item.append(Object.assign(document.createElement('code'), { textContent: key }), `: ${purpose}`);
      return item;
    });
    const list = document.createElement('ul');
    list.append(...keys);
    const key =
      keys.length > 0
        ? 'To use another API key, open “Examples and history”. Keys of the sandbox:'
        : 'To set the API key, open “Examples and history”.';
    hint.append(
      ...['Run the query with the button ▶ or Ctrl+Enter (⌘+Enter on a Mac). Its response appears here.', key].map((text) =>
        Object.assign(document.createElement('p'), { textContent: text }),
      ),
      list,
    );
    const update = () => {
      hint.hidden = response.getValue() !== '';
    };
    response.onDidChangeContent(update);
    update();
    document.querySelector('.graphiql-response')?.append(hint);
  };

  /** The editors exist only after GraphiQL has started. */
  const waitForEditors = () => {
    const response = modelNamed('response.json');
    if (!response || !modelNamed('operation.graphql')) return void requestAnimationFrame(waitForEditors);
    addHint(response);
    if (linkedQuery !== null) open({ query: linkedQuery, variables: linked.get('variables') ?? '' });
  };
  waitForEditors();

  /** @param {boolean} isOpen */
  const show = (isOpen) => {
    panel.hidden = !isOpen;
    toggle.setAttribute('aria-expanded', String(isOpen));
  };
  // Where the panel would leave too little space to the panes, it covers them while it's open.
  const coversPanes = () => matchMedia('(max-width: 1599px)').matches;
  toggle.addEventListener('click', () => show(panel.hidden !== false));
  panel.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return;
    show(false);
    toggle.focus();
  });
  show(!coversPanes());

  const list = element('examples-list');
  const executed = element('history');
  /**
   * @param {Executed} listed
   * @param {string} detail
   */
  const itemOf = (listed, detail) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(listed.name, Object.assign(document.createElement('small'), { textContent: detail }));
    button.addEventListener('click', () => {
      open(listed);
      for (const each of panel.querySelectorAll('li button')) each.removeAttribute('aria-current');
      button.setAttribute('aria-current', 'true');
      if (coversPanes()) show(false);
    });
    const item = document.createElement('li');
    item.append(button);
    return item;
  };

  // Like the tabs, which GraphiQL stores: without headers, for all tabs of this browser. The newest come first.
  const STORED_HISTORY = 'workspace-graph:history';
  const MAX_EXECUTED = 20;
  const MAX_HISTORY_CHARACTERS = 200_000;

  /** @type {() => Executed[]} */
  const readHistory = () => JSON.parse(localStorage.getItem(STORED_HISTORY) ?? '[]');

  const listHistory = () => {
    const stored = readHistory();
    executed.hidden = stored.length === 0;
    executed.querySelector('ul')?.replaceChildren(...stored.map((each) => itemOf(each, (each.variables ?? each.query).slice(0, 80))));
  };

  /**
   * Adds the document and the variables of the open tab: the request contains the document without comments and line breaks.
   * @param {string | undefined} operationName
   */
  const addToHistory = (operationName) => {
    const variables = modelNamed('variables.json')?.getValue().trim();
    const added = {
      name: operationName ?? 'Unnamed',
      query: modelNamed('operation.graphql')?.getValue() ?? '',
      ...(variables && { variables }),
    };
    const others = readHistory().filter((each) => each.query !== added.query || each.variables !== added.variables);
    const entries = [added, ...others].slice(0, MAX_EXECUTED);
    while (JSON.stringify(entries).length > MAX_HISTORY_CHARACTERS) entries.pop();
    try {
      localStorage.setItem(STORED_HISTORY, JSON.stringify(entries));
    } catch {
      // The tabs have filled the storage. Documents must still be executed.
      return;
    }
    listHistory();
  };

  executed.querySelector('#history-clear')?.addEventListener('click', () => {
    localStorage.removeItem(STORED_HISTORY);
    listHistory();
    toggle.focus();
  });
  listHistory();

  for (const area of new Set(data.examples.map((example) => example.area))) {
    const heading = Object.assign(document.createElement('h2'), { textContent: area });
    const items = document.createElement('ul');
    items.append(...data.examples.filter((example) => example.area === area).map((example) => itemOf(example, example.title)));
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
    const isEmpty = [...list.querySelectorAll('section')].every((section) => section.hidden !== false);
    element('examples-none').textContent = isEmpty ? 'No example matches.' : '';
  });
})();
