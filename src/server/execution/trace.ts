import { useApolloInlineTrace } from '@graphql-yoga/plugin-apollo-inline-trace';
import type { Plugin } from 'graphql-yoga';

/** The package passes a trace as call arguments, about ten thousand of which exceed the stack. Such a response is sent without its trace. */
function ignoreTooLong(plugin: Plugin): Plugin {
  const { onExecutionResult } = plugin;
  if (!onExecutionResult) return plugin;
  return {
    ...plugin,
    onExecutionResult(payload) {
      try {
        return onExecutionResult(payload);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
      }
    },
  };
}

/** Adds federated traces (ftv1) for routers that request them. */
export function useTrace(): Plugin {
  const { onPluginInit, ...plugin } = useApolloInlineTrace() as Plugin;
  return {
    ...plugin,
    onPluginInit: (payload) => onPluginInit?.({ ...payload, addPlugin: (added: Plugin) => payload.addPlugin(ignoreTooLong(added)) }),
  };
}
