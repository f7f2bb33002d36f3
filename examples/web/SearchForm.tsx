import { type ReactNode, type SubmitEvent, useEffect, useRef } from 'react';
import { focusFirstStop } from './arrowKeys.ts';

/** Time without input after which the text is searched, in milliseconds. */
const DELAY_MS = 300;

interface SearchFormProps {
  readonly label: string;
  /** The text that is searched. */
  readonly text: string;
  readonly onSearch: (text: string) => void;
  /** Called with the text when the user presses Enter. By default, it's searched. */
  readonly onEnter?: (text: string) => void;
  /** Further controls. */
  readonly children?: ReactNode;
}

/** A search box. Its text is searched once when the user pauses, and immediately with Enter. The down arrow moves to the first result. */
export function SearchForm({ label, text, onSearch, onEnter = onSearch, children }: SearchFormProps) {
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const stopTimer = () => {
    clearTimeout(timer.current);
    timer.current = undefined;
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    // The text changes with the URL, such as when the user goes back, but not while the user is typing.
    if (input.current && timer.current === undefined && input.current.value.trim() !== text) input.current.value = text;
  }, [text]);
  const read = () => {
    stopTimer();
    return input.current?.value.trim() ?? '';
  };
  const searchLater = () => {
    stopTimer();
    timer.current = setTimeout(() => onSearch(read()), DELAY_MS);
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onEnter(read());
    // The next text, such as that of a barcode scanner, replaces this one.
    input.current?.select();
  };
  return (
    <search>
      <form onSubmit={submit}>
        <label>
          {label}
          <input
            type="search"
            ref={input}
            maxLength={200}
            defaultValue={text}
            autoComplete="off"
            spellCheck={false}
            onChange={searchLater}
            onKeyDown={focusFirstStop}
          />
        </label>
        {children}
      </form>
    </search>
  );
}
