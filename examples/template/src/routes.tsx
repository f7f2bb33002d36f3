import { Button, Container, Group } from '@mantine/core';
import { createRootRoute, createRoute, createRouter, Outlet, type RouterHistory } from '@tanstack/react-router';
import { AnchorLink } from './links.tsx';
import { QuoteEditor } from './QuoteEditor.tsx';
import { QuoteList } from './QuoteList.tsx';
import { QuotePage } from './QuotePage.tsx';

/** `/?q=solar`, `/quotes/<ID>`, and `/quotes/<ID>/edit`. */
function createRoutes(onSignOut: () => void) {
  const root = createRootRoute({
    component: () => (
      <Container size="md" py="md">
        <Group justify="space-between" component="header" mb="md">
          <AnchorLink to="/" fw="bold">
            Draft quotes
          </AnchorLink>
          <Button variant="default" onClick={onSignOut}>
            Sign out
          </Button>
        </Group>
        <main>
          <Outlet />
        </main>
      </Container>
    ),
    notFoundComponent: () => <p role="status">This page doesn’t exist.</p>,
  });
  const list = createRoute({
    getParentRoute: () => root,
    path: '/',
    component: QuoteList,
    // Digits in a URL are parsed as a number.
    validateSearch: ({ q = '' }): { q?: string } => (q === '' ? {} : { q: String(q) }),
  });
  const quote = createRoute({ getParentRoute: () => root, path: '/quotes/$id', component: QuotePage });
  const editor = createRoute({ getParentRoute: () => root, path: '/quotes/$id/edit', component: QuoteEditor });
  return root.addChildren([list, quote, editor]);
}

export const createAppRouter = (onSignOut: () => void, history?: RouterHistory) =>
  createRouter({ routeTree: createRoutes(onSignOut), ...(history && { history }), scrollRestoration: true });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
