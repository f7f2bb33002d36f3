import { type ExecutionArgs, execute, print } from 'graphql';
import type { CompiledQuery } from 'graphql-jit';
import type { Context } from '../../src/context.ts';
import { type Execute, Executor, loadCompiler } from '../../src/server/execution/executor.ts';
import type { Plan } from '../../src/server/execution/plan.ts';

// Tests also create executors without a server.
await loadCompiler();

/** Number of characters to print on both sides of the first difference. */
const CONTEXT_LENGTH = 60;

function formatDifference(compiled: string, usual: string): string {
  let at = 0;
  while (at < compiled.length && compiled[at] === usual[at]) at += 1;
  const excerpt = (text: string) => text.slice(Math.max(0, at - CONTEXT_LENGTH), at + CONTEXT_LENGTH);
  return `compiled:   …${excerpt(compiled)}…\ngraphql-js: …${excerpt(usual)}…`;
}

/**
 * An executor that compares each result of a compiled query with that of graphql-js, byte by byte. Doesn't compare with Yoga's own executor, because that
 * orders fields by when they resolve. The request caches all reads, so that the second execution sends no calls. A difference fails the request. It's also
 * added to `differences`, because a test may expect the request to fail.
 */
export class CheckedExecutor extends Executor {
  readonly differences: string[] = [];
  /** Number of compared results. */
  compared = 0;
  /** Number of attempts to compile a query. */
  compiled = 0;
  /** Replaces a compiled query before it's cached. */
  replaceCompiled = (made: CompiledQuery | null): CompiledQuery | null => made;

  override execute(plan: Plan, args: ExecutionArgs, otherwise: Execute): unknown {
    let isCompiled = true;
    const result = super.execute(plan, args, (given) => {
      isCompiled = false;
      return otherwise(given);
    });
    // If the query isn't compiled, the default executor runs at once, and there is nothing to compare.
    return isCompiled ? this.#checked(args, result, () => isCompiled) : result;
  }

  /** A compiled query that encounters an error falls back to the default executor later. */
  async #checked(args: ExecutionArgs, answering: unknown, isCompiled: () => boolean): Promise<unknown> {
    const result = await answering;
    const { upstream, responseBudget: budget } = args.contextValue as Context;
    // No client receives the response of an abandoned request.
    if (!isCompiled() || upstream.isDisconnected || budget.isExceeded) return result;
    this.compared += 1;
    const before = upstream.sent;
    budget.restart();
    const usual = JSON.stringify(await execute(args));
    const compiled = JSON.stringify(result);
    const sent = upstream.sent - before;
    if (compiled !== usual) this.#fail(args, formatDifference(compiled, usual));
    if (sent > 0) this.#fail(args, `To execute it again sent ${sent} more calls.`);
    return result;
  }

  protected override compileQuery(...args: Parameters<Executor['compileQuery']>): CompiledQuery | null {
    this.compiled += 1;
    return this.replaceCompiled(super.compileQuery(...args));
  }

  #fail({ document, variableValues }: ExecutionArgs, problem: string): never {
    this.differences.push(`${problem}\n${print(document)}\n${JSON.stringify(variableValues)}`);
    throw new Error(this.differences.at(-1));
  }
}
