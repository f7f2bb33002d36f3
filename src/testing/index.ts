// The entry `workspace-graph/testing`. Its exported types import nothing else from this package, so that their declarations can be published on their own.
export {
  createTestGraph,
  type KeyName,
  type TestAccount,
  type TestGraph,
  type TestGraphOptions,
  type TokenOptions,
  type UpstreamCall,
  type UpstreamFault,
} from './createTestGraph.ts';
export { type DroppedResponse, type ProxiedRequest, startProxy, type TestProxy } from './startProxy.ts';
