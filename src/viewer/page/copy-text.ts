import { signal, type Signal } from '@preact/signals'

/** A short note about what was done, which disappears. */
export const notice: Signal<string> = signal('')

/** Copies text to the clipboard. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    show('Copied')
  } catch {
    show('The browser does not allow copying')
  }
}

export function show(text: string): void {
  notice.value = text
  setTimeout(() => (notice.value = ''), 1_500)
}
