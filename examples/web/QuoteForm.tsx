import { type SubmitEvent, useLayoutEffect, useRef } from 'react';
import type { QuotePartsFragment } from './gql/graphql.ts';
import { Lines } from './Lines.tsx';
import { isEditable } from './quoteMutations.ts';

interface QuoteFormProps {
  readonly quote: QuotePartsFragment;
  /** The quantities of the inputs by line ID. Undefined while the quote isn't edited. */
  readonly edited: ReadonlyMap<string, number> | undefined;
  /** While a mutation is running, or its failure isn't handled yet. */
  readonly isDisabled: boolean;
  /** Called with the quantities by line ID. */
  readonly onSave: (quantities: ReadonlyMap<string, number>) => void;
  readonly onCancel: () => void;
  readonly onConfirm: () => void;
  readonly onEdit: () => void;
}

const readQuantities = (form: HTMLFormElement) => new Map([...new FormData(form)].map(([id, quantity]) => [id, Number(quantity)]));

function Buttons({ quote, edited, onCancel, onConfirm, onEdit }: QuoteFormProps) {
  if (edited)
    return (
      <p className="buttons">
        <button type="submit">Save quantities</button>
        <button type="button" className="quiet" onClick={onCancel}>
          Cancel
        </button>
      </p>
    );
  if (quote.status !== 'CONCEPT') return null;
  return (
    <p className="buttons">
      <button type="button" onClick={onConfirm}>
        Confirm
      </button>
      {isEditable(quote) && (
        <button type="button" className="quiet" onClick={onEdit}>
          Change quantities
        </button>
      )}
    </p>
  );
}

/** The lines of a quote, with its actions. */
export function QuoteForm(props: QuoteFormProps) {
  const { quote, edited, isDisabled, onSave } = props;
  const isEdited = edited !== undefined;
  const form = useRef<HTMLFormElement>(null);
  const wasEdited = useRef(false);
  useLayoutEffect(() => {
    // The button that was clicked no longer exists, so the focus would be lost.
    const next = isEdited === wasEdited.current ? null : form.current?.querySelector<HTMLInputElement | HTMLButtonElement>('input, button');
    next?.focus();
    if (next instanceof HTMLInputElement) next.select();
    wasEdited.current = isEdited;
  }, [isEdited]);
  const save = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSave(readQuantities(event.currentTarget));
  };
  return (
    <form onSubmit={save} ref={form}>
      <fieldset disabled={isDisabled}>
        <Lines lines={quote.lines} discounts={quote.discounts} edited={edited} />
        <Buttons {...props} />
      </fieldset>
    </form>
  );
}
