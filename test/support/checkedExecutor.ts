import { type ExecutionArgs, execute, print } from 'graphql';
import type { CompiledQuery } from 'graphql-jit';
import type { Context } from '../../src/context.ts';
import { Executor, loadCompiler } from '../../src/server/fast/executor.ts';

// Executors that are made without a server compile, too.
await loadCompiler();

type Execute = Parameters<Executor['execute']>[1];

/** Characters that are shown on both sides of the first difference. */
const AROUND = 60;

function difference(compiled: string, usual: string): string {
  let at = 0;
  while (at < compiled.length && compiled[at] === usual[at]) at += 1;
  const shown = (text: string) => text.slice(Math.max(0, at - AROUND), at + AROUND);
  return `compiled:   …${shown(compiled)}…\ngraphql-js: …${shown(usual)}…`;
}

/**
 * Answers as the executor does, and compares what compiled queries answer with what graphql-js does, to the byte: yoga's own executor puts
 * members in the order in which they are resolved. All that has been read is remembered by the request, so that the second execution
 * sends nothing. What differs fails the request, and is kept in `differences`, since a test may expect its request to fail.
 */
export class CheckedExecutor extends Executor {
  readonly differences: string[] = [];
  /** Answers of compiled queries. */
  compared = 0;
  /** Queries that were compiled, or could not be. */
  compiled = 0;
  /** Replaces each compiled query before it is kept. */
  turn = (made: CompiledQuery | null): CompiledQuery | null => made;

  override execute(args: ExecutionArgs, otherwise: Execute): unknown {
    let isCompiled = true;
    const answer = super.execute(args, (given) => {
      isCompiled = false;
      return otherwise(given);
    });
    // A query that is not compiled went to the usual executor at once: nothing to compare.
    return isCompiled ? this.#checked(args, answer, () => isCompiled) : answer;
  }

  /** A compiled query that meets an error leaves it to the usual executor later. */
  async #checked(args: ExecutionArgs, answering: unknown, isCompiled: () => boolean): Promise<unknown> {
    const answer = await answering;
    const { upstream, answer: budget } = args.contextValue as Context;
    // Nobody reads an answer whose caller has left.
    if (!isCompiled() || upstream.isAbandoned || budget.isExceeded) return answer;
    this.compared += 1;
    const before = upstream.sentCalls;
    budget.restart();
    const usual = JSON.stringify(await execute(args));
    const compiled = JSON.stringify(answer);
    const sent = upstream.sentCalls - before;
    if (compiled !== usual) this.#fail(args, difference(compiled, usual));
    if (sent > 0) this.#fail(args, `To execute it again sent ${sent} more calls.`);
    return answer;
  }

  protected override compileQuery(...args: Parameters<Executor['compileQuery']>): CompiledQuery | null {
    this.compiled += 1;
    return this.turn(super.compileQuery(...args));
  }

  #fail({ document, variableValues }: ExecutionArgs, problem: string): never {
    this.differences.push(`${problem}\n${print(document)}\n${JSON.stringify(variableValues)}`);
    throw new Error(this.differences.at(-1));
  }
}
