/** Titles of the sections that give the same instructions for different clients. A reader needs one of them. */
const CLIENTS: readonly string[] = ['Apollo Client', 'urql', 'Relay', 'Scripts and servers'];

const HEADING = 'sl-heading-wrapper';
const STORED_CLIENT = 'workspace-graph:client';

interface Section {
  readonly id: string;
  readonly title: string;
  /** The heading and what follows it. */
  readonly elements: readonly Element[];
}

function readSection(heading: Element): Section | undefined {
  const { id = '', textContent: title = '' } = heading.querySelector('h4') ?? {};
  if (!CLIENTS.includes(title)) return undefined;
  const elements = [heading];
  for (let next = heading.nextElementSibling; next && !next.classList.contains(HEADING); next = next.nextElementSibling)
    elements.push(next);
  return { id, title, elements };
}

function readStored(): string | null {
  try {
    return localStorage.getItem(STORED_CLIENT);
  } catch {
    return null;
  }
}

function store(title: string): void {
  try {
    localStorage.setItem(STORED_CLIENT, title);
  } catch {
    // The browser blocks storage, so the next page starts with the first client again.
  }
}

/** Replaces sections by tabs, before the first of them. Returns a function that opens the tab of a section by its ID or its title. */
function createTabs(sections: readonly Section[]): (name: string) => boolean {
  const list = document.createElement('div');
  list.setAttribute('role', 'tablist');
  list.setAttribute('aria-label', 'Client');
  sections[0]?.elements[0]?.before(list);
  const tabs = sections.map(({ id, title, elements }) => {
    const panel = document.createElement('div');
    panel.id = `panel-${id}`;
    panel.setAttribute('role', 'tabpanel');
    elements[0]?.before(panel);
    panel.append(...elements);
    const tab = document.createElement('button');
    tab.id = `tab-${id}`;
    tab.type = 'button';
    tab.textContent = title;
    tab.setAttribute('role', 'tab');
    tab.setAttribute('aria-controls', panel.id);
    panel.setAttribute('aria-labelledby', tab.id);
    list.append(tab);
    return { id, title, tab, panel };
  });
  const open = (name: string): boolean => {
    const chosen = tabs.find(({ id, title }) => id === name || title === name);
    if (!chosen) return false;
    for (const { tab, panel } of tabs) {
      const isChosen = tab === chosen.tab;
      tab.setAttribute('aria-selected', String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      panel.hidden = !isChosen;
    }
    return true;
  };
  for (const [index, { title, tab }] of tabs.entries()) {
    tab.addEventListener('click', () => {
      open(title);
      store(title);
    });
    tab.addEventListener('keydown', ({ key }) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
      const next = step && tabs.at((index + step) % tabs.length)?.tab;
      if (!next) return;
      next.click();
      next.focus();
    });
  }
  open(tabs[0]?.title ?? '');
  open(readStored() ?? '');
  return open;
}

/** Replaces the sections of a page about clients by tabs. Links to their headings open them. Without scripts, the sections follow each other. */
export function addClientTabs(page: ParentNode): void {
  const sections = [...page.querySelectorAll(`.${HEADING}.level-h4`)].map(readSection).filter((section) => section !== undefined);
  if (sections.length < 2) return;
  const open = createTabs(sections);
  const followLink = () => {
    const name = location.hash.slice(1);
    if (open(name)) document.getElementById(`tab-${name}`)?.scrollIntoView();
  };
  addEventListener('hashchange', followLink);
  followLink();
}
