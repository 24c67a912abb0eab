import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

/** A shell command that runs in a terminal of tmux. */
export interface TmuxTerminal {
  /** Returns the lines that the screen shows, without empty lines at the end; with the codes of colors if `withColors` is true. */
  screen(withColors?: boolean): string
  /** Presses keys by the names of tmux, such as `q`, `C-c` or `Enter`. */
  press(...keys: readonly string[]): void
  resize(columns: number, rows: number): void
  /** Waits until the screen contains a text. */
  untilShown(text: string): Promise<void>
  /** Ends the terminal and what runs in it. */
  close(): void
}

const shownMillis = 30_000
const pollMillis = 50

/** Runs a command of `sh` in a terminal. When it ends, the screen shows `code=` and its exit status. */
export function startInTmux(
  command: string,
  env: Readonly<Record<string, string>> = {},
  columns = 80,
  rows = 24,
): TmuxTerminal {
  const socket = `sluice-${randomUUID()}`
  const tmux = (...args: readonly string[]): string =>
    execFileSync('tmux', ['-L', socket, '-f', '/dev/null', ...args], { encoding: 'utf8' })
  const variables = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`])
  const size = ['-x', String(columns), '-y', String(rows)]
  tmux('new-session', '-d', ...size, ...variables, `${command}; echo "code=$?"; exec sh`)
  const screen = (withColors = false) => tmux('capture-pane', '-p', ...(withColors ? ['-e'] : [])).replace(/\n+$/, '')
  return {
    screen,
    press: (...keys) => void tmux('send-keys', ...keys),
    resize: (width, height) => void tmux('resize-window', '-x', String(width), '-y', String(height)),
    async untilShown(text) {
      const end = performance.now() + shownMillis
      while (!screen().includes(text)) {
        if (performance.now() > end)
          throw new Error(`the terminal does not show ${text} within ${shownMillis} ms:\n${screen()}`)
        await delay(pollMillis)
      }
    },
    close: () => void tmux('kill-server'),
  }
}
