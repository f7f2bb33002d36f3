import { createTheme, MantineProvider } from '@mantine/core';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import '@mantine/core/styles.css';

/** Shades with enough contrast for small texts (WCAG AA). */
const theme = createTheme({ primaryShade: 8 });

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <App graphUrl="/graphql" />
    </MantineProvider>,
  );
