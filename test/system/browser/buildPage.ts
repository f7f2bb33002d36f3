import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';

const ROOT = fileURLToPath(new URL('../../../examples/web', import.meta.url));

/** Builds the page of a module in this folder as one HTML document. React is that of the example page, which has React DOM. */
export async function buildPage(module: string): Promise<string> {
  const built = await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    resolve: { dedupe: ['react', 'react-dom'] },
    build: { write: false, rolldownOptions: { input: fileURLToPath(new URL(module, import.meta.url)) } },
  });
  const { output } = built as Rolldown.RolldownOutput;
  const script = output[0].code.replaceAll('</script', '<\\/script');
  // Without an icon of its own, Chromium would request one.
  return `<!doctype html><title>Test</title><link rel="icon" href="data:,"><body><script type="module">${script}</script>`;
}
