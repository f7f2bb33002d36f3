import { useApolloClient } from '@apollo/client/react';
import { useIdempotentMutation } from '@workspace-graph/client/react';
import { useState } from 'react';
import { CardHead } from './CardHead.tsx';
import type { QuotePartsFragment } from './gql/graphql.ts';
import { isActive, Notice } from './Notice.tsx';
import { QuoteConflict } from './QuoteConflict.tsx';
import { QuoteForm } from './QuoteForm.tsx';
import { changeQuote, createQuoteUpdate, type QuoteChange, type QuoteEdit, rebase, reloadQuote } from './quoteMutations.ts';

interface QuoteCardProps {
  readonly quote: QuotePartsFragment;
  /** Called when the quote has been confirmed. */
  readonly onConfirmed: () => void;
}

/** A quote that can be confirmed and changed. */
export function QuoteCard({ quote, onConfirmed }: QuoteCardProps) {
  const client = useApolloClient();
  /** Changes are saved as an update of the version that the user has edited, even if others have changed the quote since. */
  const [edit, setEdit] = useState<QuoteEdit | null>(null);
  const displayed = edit?.quote ?? quote;
  const change = useIdempotentMutation(async (input: QuoteChange, intent) => {
    const message = await changeQuote(client, input, intent);
    if ('confirm' in input) onConfirmed();
    setEdit(null);
    return message;
  });

  const start = (next: QuoteEdit | null) => {
    setEdit(next);
    change.reset();
  };
  const save = (quantities: QuoteEdit['quantities']) => {
    const saved = { quote: displayed, quantities };
    setEdit(saved);
    void change.run({ update: createQuoteUpdate(saved) });
  };
  const reload = async () => {
    const isReloaded = await reloadQuote(client, quote.id);
    if (isReloaded) setEdit(null);
    return isReloaded;
  };
  return (
    <article className="card" aria-labelledby={quote.id}>
      <CardHead record={displayed} />
      <QuoteForm
        key={displayed.version}
        quote={displayed}
        edited={edit?.quantities}
        isDisabled={isActive(change)}
        onSave={save}
        onCancel={() => start(null)}
        onConfirm={() => void change.run({ confirm: { quoteId: quote.id } })}
        onEdit={() => start({ quote, quantities: new Map() })}
      />
      <Notice
        mutation={change}
        subject="quote"
        onReload={reload}
        renderConflict={({ current }) =>
          edit && current && 'discounts' in current ? (
            <QuoteConflict edit={edit} stored={current} onKeepMine={() => start(rebase(edit, current))} onUseStored={() => start(null)} />
          ) : null
        }
      />
    </article>
  );
}
