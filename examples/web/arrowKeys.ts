import type { KeyboardEvent } from 'react';

/** Class of the links and buttons that arrow keys move between. They're in the columns of an element with the class `arrows`. */
export const STOP_CLASS = 'stop';

const STEPS: Readonly<Record<string, readonly [columns: number, rows: number]>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

const hasModifier = ({ altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent) => altKey || ctrlKey || metaKey || shiftKey;

function focus(event: KeyboardEvent, target: HTMLElement | null | undefined): void {
  if (!target) return;
  // Otherwise, the browser also scrolls.
  event.preventDefault();
  target.focus();
}

/** Moves the focus from a stop to the next one in the direction of an arrow key, over empty columns. */
export function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key];
  const stop = event.currentTarget;
  const columns = stop.closest('.arrows')?.children;
  if (!step || !columns || hasModifier(event)) return;
  const filled = [...columns]
    .map((column) => [...column.querySelectorAll<HTMLElement>(`.${STOP_CLASS}`)])
    .filter((stops) => stops.length > 0);
  const position = filled.findIndex((stops) => stops.includes(stop));
  const row = filled[position]?.indexOf(stop) ?? 0;
  const target = filled[position + step[0]];
  // A shorter column doesn't have the row.
  focus(event, target?.[Math.min(row, target.length - 1) + step[1]]);
}

/** Moves the focus from a search box to the first result with the down arrow. */
export function focusFirstStop(event: KeyboardEvent<HTMLElement>): void {
  if (event.key === 'ArrowDown' && !hasModifier(event)) focus(event, document.querySelector<HTMLElement>(`.${STOP_CLASS}`));
}
