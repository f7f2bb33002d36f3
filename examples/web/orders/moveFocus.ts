import type { KeyboardEvent } from 'react';

/** Class of cards, which are the buttons that arrow keys move between. */
export const CARD_CLASS = 'order-card';

const STEPS: Readonly<Record<string, readonly [columns: number, rows: number]>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** Moves the focus from a card to the next one in the direction of an arrow key, over empty columns. */
export function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key];
  const card = event.currentTarget;
  const columns = card.closest('.board')?.children;
  if (!step || !columns || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const filled = [...columns]
    .map((column) => [...column.querySelectorAll<HTMLElement>(`.${CARD_CLASS}`)])
    .filter((cards) => cards.length > 0);
  const position = filled.findIndex((cards) => cards.includes(card));
  const row = filled[position]?.indexOf(card) ?? 0;
  const target = filled[position + step[0]];
  // A shorter column doesn't have the row.
  const next = target?.[Math.min(row, target.length - 1) + step[1]];
  if (!next) return;
  // Otherwise, the browser also scrolls.
  event.preventDefault();
  next.focus();
}
