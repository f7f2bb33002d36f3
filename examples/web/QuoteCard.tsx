import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import { CardHead } from './CardHead.tsx';
import type { QuotePartsFragment } from './gql/graphql.ts';
import { Notice } from './Notice.tsx';
import { QuoteForm } from './QuoteForm.tsx';
import { confirmQuote, createQuoteUpdate, reloadQuote, updateQuote } from './quoteMutations.ts';
import { useMutationState } from './useMutationState.ts';

interface QuoteCardProps {
  readonly quote: QuotePartsFragment;
  /** Called when the quote has been confirmed. */
  readonly onConfirmed: () => void;
}

/** A quote that can be confirmed and changed. */
export function QuoteCard({ quote, onConfirmed }: QuoteCardProps) {
  const client = useApolloClient();
  /** The quote when editing started. Changes are saved as an update of this version, even if others have changed the quote since. */
  const [edited, setEdited] = useState<QuotePartsFragment | null>(null);
  const { state, run, close } = useMutationState(() => setEdited(null));
  const displayed = edited ?? quote;

  const confirm = async () => {
    const result = await confirmQuote(client, quote.id);
    if (typeof result === 'string') onConfirmed();
    return result;
  };
  const save = (quantities: ReadonlyMap<string, number>) => {
    // Created once: a retry sends the same input, including the key.
    const input = createQuoteUpdate(displayed, quantities);
    void run(() => updateQuote(client, input));
  };
  const edit = () => {
    setEdited(quote);
    close();
  };
  const discard = () => {
    setEdited(null);
    close();
  };
  return (
    <article className="card" aria-labelledby={quote.id}>
      <CardHead record={displayed} />
      <QuoteForm
        quote={displayed}
        isEdited={edited !== null}
        isDisabled={state.at === 'running' || state.at === 'failed'}
        onSave={save}
        onCancel={discard}
        onConfirm={() => run(confirm)}
        onEdit={edit}
      />
      <Notice
        state={state}
        subject="quote"
        onReload={() => void run(() => reloadQuote(client, quote.id))}
        onUseCurrent={discard}
        onClose={close}
      />
    </article>
  );
}
