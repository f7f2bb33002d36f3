import { useApolloClient } from '@apollo/client/react';
import { useIdempotentMutation } from '@workspace-graph/client/react';
import { type SubmitEvent, useId } from 'react';
import { Badge } from '../CardHead.tsx';
import type { AdvancedTaskPartsFragment, AdvancedTaskUpdateInput } from '../gql/graphql.ts';
import { isUndecided, Notice } from '../Notice.tsx';
import { fillInTask } from './workMutations.ts';

type Values = Readonly<Record<string, unknown>>;

const getValues = ({ values }: AdvancedTaskPartsFragment): Values => (typeof values === 'object' && values !== null ? { ...values } : {});

/** A value as text. Values can be any JSON. */
const toText = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** The changed values, with null for removed ones. Unchanged values keep their type. */
const readChanges = (form: FormData, values: Values): Record<string, unknown> =>
  Object.fromEntries(
    [...form]
      .map(([name, text]) => [name, String(text).trim()] as const)
      .filter(([name, text]) => text !== toText(values[name]))
      .map(([name, text]) => [name, text || null]),
  );

interface AdvancedTaskFormProps {
  readonly task: AdvancedTaskPartsFragment;
  /** Whether the record of the task is closed. */
  readonly isReadOnly: boolean;
  readonly reload: () => Promise<boolean>;
}

/** An advanced task: a form that can be completed with its last required value, or reopened. */
export function AdvancedTaskForm({ task, isReadOnly, reload }: AdvancedTaskFormProps) {
  const client = useApolloClient();
  const update = useIdempotentMutation((input: AdvancedTaskUpdateInput, intent) => fillInTask(client, input, intent));
  const nameId = useId();
  const { id, status, definition } = task;
  const values = getValues(task);
  const isOpen = status === 'OPEN';
  const complete = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void update.run({ advancedTaskId: id, values: readChanges(new FormData(event.currentTarget), values), isCompleted: true });
  };
  return (
    <form className="advanced" onSubmit={complete} aria-labelledby={nameId}>
      <header>
        <strong id={nameId}>{definition?.name ?? 'Form'}</strong>
        <Badge status={status} />
      </header>
      {definition?.description && <small>{definition.description}</small>}
      <fieldset disabled={isUndecided(update) || isReadOnly}>
        {definition?.fields.map(({ name, label, isRequired }) => (
          <label key={name}>
            {label ?? name}
            {!isRequired && ' (optional)'}
            <input name={name} defaultValue={toText(values[name])} required={isRequired} readOnly={!isOpen} autoComplete="off" />
          </label>
        ))}
        {!isReadOnly && (
          <p className="buttons">
            {isOpen ? (
              <button type="submit">Complete</button>
            ) : (
              <button type="button" className="quiet" onClick={() => void update.run({ advancedTaskId: id, isCompleted: false })}>
                Reopen
              </button>
            )}
          </p>
        )}
      </fieldset>
      <Notice mutation={update} subject="form" onReload={reload} reloadsBlocked />
    </form>
  );
}
