import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import { CardHead } from './CardHead.tsx';
import type { QuotePartsFragment } from './gql/graphql.ts';
import { Notice } from './Notice.tsx';
import { QuoteForm } from './QuoteForm.tsx';
import { changeOf, confirmQuote, lookAgain, updateQuote } from './quoteActs.ts';
import { useAct } from './useAct.ts';

interface QuoteCardProps {
  readonly quote: QuotePartsFragment;
  /** Called when the quote has become an order. */
  readonly onOrdered: () => void;
}

/** A quote that can be confirmed and changed. */
export function QuoteCard({ quote, onOrdered }: QuoteCardProps) {
  const client = useApolloClient();
  /** The quote as it was when the change of quantities began: what is saved is a change of that, whatever others did since. */
  const [edited, setEdited] = useState<QuotePartsFragment | null>(null);
  const { state, run, close } = useAct(() => setEdited(null));
  const shown = edited ?? quote;

  const confirm = async () => {
    const result = await confirmQuote(client, quote.id);
    if (typeof result === 'string') onOrdered();
    return result;
  };
  const save = (quantities: ReadonlyMap<string, number>) => {
    // Made here, once: whoever repeats the act sends this input, key and all.
    const input = changeOf(shown, quantities);
    void run(() => updateQuote(client, input));
  };
  const edit = () => {
    setEdited(quote);
    close();
  };
  const startOver = () => {
    setEdited(null);
    close();
  };
  return (
    <article className="card" aria-labelledby={quote.id}>
      <CardHead record={shown} />
      <QuoteForm
        quote={shown}
        isEdited={edited !== null}
        isDisabled={state.at === 'running' || state.at === 'failed'}
        onSave={save}
        onCancel={startOver}
        onConfirm={() => run(confirm)}
        onEdit={edit}
      />
      <Notice
        state={state}
        subject="quote"
        onLookAgain={() => void run(() => lookAgain(client, quote.id))}
        onTakeOver={startOver}
        onClose={close}
      />
    </article>
  );
}
