import { useApolloClient } from '@apollo/client/react';
import { useIdempotentMutation } from '@workspace-graph/client/react';
import { type SubmitEvent, useState } from 'react';
import type { BalancePartsFragment, LocationPartsFragment } from '../gql/graphql.ts';
import { isUndecided, Notice } from '../Notice.tsx';
import { type Move, moveStock } from './moveStock.ts';

/** Chosen: a larger quantity is a typing error, such as a barcode that was scanned into this field. */
const MAX_QUANTITY = 100_000;
/** In characters, as the schema documents. */
const MAX_REFERENCE_LENGTH = 200;

interface MoveFormProps {
  readonly productId: string;
  readonly balances: readonly BalancePartsFragment[];
  /** All locations. */
  readonly locations: readonly LocationPartsFragment[];
  /** Reloads the stock. Resolves to whether that succeeded. */
  readonly reload: () => Promise<boolean>;
}

const isStocked = ({ kind, isActive: isInUse }: LocationPartsFragment) => isInUse && kind !== 'VIRTUAL';

const getAvailable = ({ available }: BalancePartsFragment) => available ?? 0;

interface SelectLocationProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (id: string) => void;
  readonly options: readonly { readonly location: LocationPartsFragment; readonly note?: string }[];
}

function SelectLocation({ label, value, onChange, options }: SelectLocationProps) {
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => onChange(event.target.value)} required>
        {options.map(({ location: { id, name, code }, note }) => (
          <option key={id} value={id}>
            {[name, code, note].filter(Boolean).join(' · ')}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The form that moves stock of a product. The graph decides whether there is enough, because the displayed stock may be outdated. */
export function MoveForm({ productId, balances, locations, reload }: MoveFormProps) {
  const client = useApolloClient();
  const move = useIdempotentMutation((input: Move, intent) =>
    moveStock(client, input, intent).catch((error: unknown) => {
      // The displayed stock is probably outdated.
      void reload();
      throw error;
    }),
  );
  const sources = balances.flatMap((balance) =>
    balance.location && isStocked(balance.location) ? [{ ...balance, location: balance.location }] : [],
  );
  const fullest = [...sources].sort((one, other) => getAvailable(other) - getAvailable(one))[0];
  const [sourceId, setSourceId] = useState(fullest?.location.id ?? '');
  const destinations = locations.filter((location) => isStocked(location) && location.id !== sourceId);
  const [chosenId, setChosenId] = useState('');
  const destination = destinations.find(({ id }) => id === chosenId) ?? destinations[0];
  const source = sources.find(({ location }) => location.id === sourceId)?.location;
  if (!source || !destination) return <p className="unknown">There is no stock to move, or no location to move it to.</p>;

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const reference = String(form.get('reference')).trim() || null;
    void move.run({ productId, quantity: Number(form.get('quantity')), source, destination, reference });
  };
  return (
    <form className="move" onSubmit={submit} aria-labelledby="move">
      <h3 id="move">Move stock</h3>
      <fieldset disabled={isUndecided(move)}>
        <SelectLocation
          label="From"
          value={sourceId}
          onChange={setSourceId}
          options={sources.map(({ location, available }) => ({ location, note: `${available ?? '?'} available` }))}
        />
        <SelectLocation label="To" value={destination.id} onChange={setChosenId} options={destinations.map((location) => ({ location }))} />
        <label>
          Quantity
          <input type="number" name="quantity" min={1} max={MAX_QUANTITY} defaultValue={1} required />
        </label>
        <label>
          Reference (optional)
          <input name="reference" maxLength={MAX_REFERENCE_LENGTH} autoComplete="off" />
        </label>
        <button type="submit">Move</button>
      </fieldset>
      <Notice mutation={move} subject="stock" onReload={reload} />
    </form>
  );
}
