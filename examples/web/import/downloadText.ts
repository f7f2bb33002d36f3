/** Saves a text as a file of this device. */
export function downloadText(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text]));
  link.download = name;
  link.click();
  // The download reads it after this task.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
