import { useApolloClient } from '@apollo/client/react';
import { useIdempotentMutation } from '@workspace-graph/client/react';
import { useState } from 'react';
import { CardHead } from './CardHead.tsx';
import type { QuotePartsFragment } from './gql/graphql.ts';
import { isActive, Notice } from './Notice.tsx';
import { QuoteForm } from './QuoteForm.tsx';
import { changeQuote, createQuoteUpdate, type QuoteChange, reloadQuote } from './quoteMutations.ts';

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
  const displayed = edited ?? quote;
  const change = useIdempotentMutation(async (input: QuoteChange, intent) => {
    const message = await changeQuote(client, input, intent);
    if ('confirm' in input) onConfirmed();
    setEdited(null);
    return message;
  });

  const edit = () => {
    setEdited(quote);
    change.reset();
  };
  const discard = () => {
    setEdited(null);
    change.reset();
  };
  const reload = async () => {
    const isReloaded = await reloadQuote(client, quote.id);
    if (isReloaded) setEdited(null);
    return isReloaded;
  };
  return (
    <article className="card" aria-labelledby={quote.id}>
      <CardHead record={displayed} />
      <QuoteForm
        quote={displayed}
        isEdited={edited !== null}
        isDisabled={isActive(change)}
        onSave={(quantities) => void change.run({ update: createQuoteUpdate(displayed, quantities) })}
        onCancel={discard}
        onConfirm={() => void change.run({ confirm: { quoteId: quote.id } })}
        onEdit={edit}
      />
      <Notice mutation={change} subject="quote" onReload={reload} onUseCurrent={discard} />
    </article>
  );
}
