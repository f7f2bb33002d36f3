import { useApolloClient } from '@apollo/client/react';
import { type SubmitEvent, useId } from 'react';
import type { ActResult } from '../failure.ts';
import type { AdvancedTaskPartsFragment } from '../gql/graphql.ts';
import { Notice } from '../Notice.tsx';
import { statusName } from '../statusName.ts';
import { useAct } from '../useAct.ts';
import { fillInTask } from './workActs.ts';

type Values = Readonly<Record<string, unknown>>;

const valuesOf = ({ values }: AdvancedTaskPartsFragment): Values => (typeof values === 'object' && values !== null ? { ...values } : {});

/** A value as text: it can be any JSON. */
const textOf = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** The values that differ from those that are there, null for one that is taken away. Those left alone keep their type. */
const changesIn = (form: FormData, values: Values): Record<string, unknown> =>
  Object.fromEntries(
    [...form]
      .map(([name, text]) => [name, String(text).trim()] as const)
      .filter(([name, text]) => text !== textOf(values[name]))
      .map(([name, text]) => [name, text || null]),
  );

interface AdvancedTaskFormProps {
  readonly task: AdvancedTaskPartsFragment;
  /** Whether the record that has it is closed. */
  readonly isFixed: boolean;
  readonly lookAgain: () => Promise<ActResult>;
}

/** An advanced task: a form to fill in, which is completed with its last required value, or opened again. */
export function AdvancedTaskForm({ task, isFixed, lookAgain }: AdvancedTaskFormProps) {
  const client = useApolloClient();
  const { state, run, close } = useAct();
  const nameId = useId();
  const { id, status, definition } = task;
  const values = valuesOf(task);
  const isOpen = status === 'OPEN';
  const send = (change: { readonly values?: unknown; readonly isCompleted: boolean }) => {
    const input = { advancedTaskId: id, ...change, idempotencyKey: crypto.randomUUID() };
    void run(() => fillInTask(client, input));
  };
  const complete = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    send({ values: changesIn(new FormData(event.currentTarget), values), isCompleted: true });
  };
  return (
    <form className="advanced" onSubmit={complete} aria-labelledby={nameId}>
      <header>
        <strong id={nameId}>{definition?.name ?? 'Form'}</strong>
        <span className={`badge ${status.toLowerCase()}`}>{statusName(status)}</span>
      </header>
      {definition?.description && <small>{definition.description}</small>}
      <fieldset disabled={state.at === 'running' || state.at === 'failed' || isFixed}>
        {definition?.fields.map(({ name, label, isRequired }) => (
          <label key={name}>
            {label ?? name}
            {!isRequired && ' (optional)'}
            <input name={name} defaultValue={textOf(values[name])} required={isRequired} readOnly={!isOpen} autoComplete="off" />
          </label>
        ))}
        {!isFixed && (
          <p className="buttons">
            {isOpen ? (
              <button type="submit">Complete</button>
            ) : (
              <button type="button" className="quiet" onClick={() => send({ isCompleted: false })}>
                Reopen
              </button>
            )}
          </p>
        )}
      </fieldset>
      <Notice state={state} subject="form" onLookAgain={() => void run(lookAgain)} onClose={close} />
    </form>
  );
}
