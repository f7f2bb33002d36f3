import { useApolloClient } from '@apollo/client/react';
import { useEffect, useRef, useState } from 'react';
import { CardHead } from './CardHead.tsx';
import { FailureNotice } from './FailureNotice.tsx';
import type { QuotePartsFragment } from './gql/graphql.ts';
import { QuoteForm } from './QuoteForm.tsx';
import { changeOf, confirmQuote, lookAgain, updateQuote } from './quoteActs.ts';
import { type ActState, useAct } from './useAct.ts';

interface QuoteCardProps {
  readonly quote: QuotePartsFragment;
  /** Called when the quote has become an order. */
  readonly onOrdered: () => void;
}

interface NoticeProps {
  readonly state: ActState;
  readonly onLookAgain: () => void;
  readonly onTakeOver: () => void;
  readonly onClose: () => void;
}

/** Notice of the last act's result. Takes the focus when there is a result to tell, and keeps it when the user takes the way out of a failure. */
function Notice({ state, ...next }: NoticeProps) {
  const place = useRef<HTMLDivElement>(null);
  const before = useRef(state.at);
  useEffect(() => {
    const isLeft = state.at === 'rest' && before.current === 'failed';
    if (isLeft || state.at === 'failed' || state.at === 'done') place.current?.focus();
    before.current = state.at;
  }, [state.at]);
  return (
    <div className={`notice ${state.at}`} aria-live="polite" tabIndex={-1} ref={place}>
      {state.at === 'running' && <p>Sending…</p>}
      {state.at === 'done' && <p>{state.message}</p>}
      {state.at === 'failed' && <FailureNotice failure={state.failure} onRepeat={state.repeat} {...next} />}
    </div>
  );
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
      <Notice state={state} onLookAgain={() => run(() => lookAgain(client, quote.id))} onTakeOver={startOver} onClose={close} />
    </article>
  );
}
