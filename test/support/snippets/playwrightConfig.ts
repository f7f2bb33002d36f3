// The configuration in docs/sandbox.md.
export default {
  webServer: {
    command: 'npx workspace-graph sandbox',
    url: 'http://127.0.0.1:4010/health/ready',
    env: { SANDBOX_SEED: '7' },
  },
};
