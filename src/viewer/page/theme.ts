import { effect, signal, type Signal } from '@preact/signals'

export type Theme = 'auto' | 'light' | 'dark'

/** The colors of the page; `auto` for those of the system. */
export const theme: Signal<Theme> = signal('auto')

const storageKey = 'sluice-theme'

/** Applies the chosen colors, which the browser keeps. */
export function useTheme(): void {
  theme.value = storedTheme()
  effect(() => {
    document.documentElement.dataset['theme'] = theme.value
    try {
      localStorage.setItem(storageKey, theme.value)
    } catch {
      // The browser does not allow storage.
    }
  })
}

function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(storageKey)
    return stored === 'light' || stored === 'dark' ? stored : 'auto'
  } catch {
    return 'auto'
  }
}
