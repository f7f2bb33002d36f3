// Runs in Node.js. The package `workspace-graph` contains the graph and its sandbox.
export * from 'workspace-graph/testing';
