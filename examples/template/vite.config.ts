import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

// npm only warns about a Node.js version that the graph in the test, and Vitest, don't support.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19))
  throw new Error(`This app requires Node.js 22.19 or later, but this is Node.js ${process.versions.node}. Install a newer version.`);

export default defineConfig({
  plugins: [react()],
  // Two thirds are Mantine, React, and Apollo Client.
  build: { chunkSizeWarningLimit: 800 },
  // The page and the graph have one origin, so that the graph doesn't need CORS.
  server: { proxy: { '/graphql': process.env.GRAPH_ORIGIN ?? 'http://127.0.0.1:4000' } },
  test: { environment: 'happy-dom', testTimeout: 60_000 },
});
