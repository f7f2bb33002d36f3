// @ts-check
// Adds roles, labels, and keyboard support that the packaged tabs and explorer of GraphiQL lack.

(() => {
  const root = /** @type {HTMLElement} */ (document.getElementById('root'));

  // When the explorer opens, it moves the focus to the last argument that has a value, and scrolls there, before the user has done anything.
  let movesFocus = false;
  const acceptFocus = () => {
    movesFocus = false;
  };
  for (const type of ['pointerdown', 'keydown']) root.addEventListener(type, acceptFocus, { capture: true });
  /** @param {Element} tree */
  const returnFocus = (tree) => {
    const opener = root.querySelector('.graphiql-sidebar .active');
    if (opener instanceof HTMLElement) opener.focus();
    requestAnimationFrame(() => {
      for (let part = tree.firstElementChild; part && part !== root; part = part.parentElement) part.scrollTop = 0;
    });
  };
  root.addEventListener('focusin', ({ target }) => {
    const tree = target instanceof Element && target.closest('.graphiql-explorer-root');
    if (movesFocus && tree) returnFocus(tree);
  });

  /** @param {Element} input */
  const addLabel = (input) => {
    const argument = /** @type {HTMLElement | null} */ (input.closest('[data-arg-name]'));
    const name = input instanceof HTMLSelectElement && argument === null ? 'Type of operation' : 'Name of the operation';
    input.setAttribute('aria-label', argument?.dataset.argName ?? name);
  };

  /** Selectors of elements that need a change, and the change, after which the element doesn't match anymore. */
  const CHANGES = /** @type {const} */ ([
    // A tab can't contain a button, and these close their tab. So they are a list of buttons, one of which is current.
    ['.graphiql-tabs[role]', (/** @type {Element} */ tabs) => tabs.removeAttribute('role')],
    [
      '.graphiql-tab:is([role], [aria-selected])',
      (/** @type {Element} */ tab) => {
        tab.removeAttribute('role');
        tab.removeAttribute('aria-selected');
      },
    ],
    [
      '.graphiql-tab-active > .graphiql-tab-button:not([aria-current])',
      (/** @type {Element} */ tab) => tab.setAttribute('aria-current', 'true'),
    ],
    [
      '.graphiql-tab:not(.graphiql-tab-active) > .graphiql-tab-button[aria-current]',
      (/** @type {Element} */ tab) => tab.removeAttribute('aria-current'),
    ],
    ['#graphiql-session[role="tabpanel"]', (/** @type {Element} */ session) => session.setAttribute('role', 'region')],
    [
      '.graphiql-explorer-root:not([data-opened])',
      (/** @type {Element} */ tree) => {
        tree.setAttribute('data-opened', '');
        movesFocus = true;
        // Screen readers move the focus without an event of the keyboard.
        setTimeout(acceptFocus, 1000);
        if (tree.contains(document.activeElement)) returnFocus(tree);
      },
    ],
    // Fields, types and arguments, which only react to clicks.
    [
      '.graphiql-explorer-root :is(.graphiql-explorer-node, [data-arg-name]) > span:first-child:not([tabindex])',
      (/** @type {Element} */ item) => {
        item.setAttribute('tabindex', '0');
        item.setAttribute('role', 'button');
      },
    ],
    ['.graphiql-explorer-root :is(input, select):not([aria-label])', addLabel],
  ]);

  new MutationObserver(() => {
    for (const [selector, change] of CHANGES) for (const element of root.querySelectorAll(selector)) change(element);
  }).observe(root, { subtree: true, childList: true, attributeFilter: ['class', 'aria-selected'] });

  root.addEventListener('keydown', (event) => {
    const { target, key } = event;
    if (!(target instanceof HTMLElement) || !target.matches('.graphiql-explorer-root [role="button"]') || (key !== 'Enter' && key !== ' '))
      return;
    event.preventDefault();
    target.click();
  });
})();
