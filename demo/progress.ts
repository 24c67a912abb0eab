import { styleText } from 'node:util'

export interface Progress {
  phase(name: string, total: number): void
  at(done: number): void
  end(): void
}

interface Terminal {
  readonly isTTY?: boolean
  write(text: string): unknown
}

const barWidth = 30

/** On a terminal one line that redraws itself, elsewhere one line a phase. On stderr, so that stdout holds the report alone. */
export function createProgress(terminal: Terminal = process.stderr): Progress {
  const live = terminal.isTTY === true
  let name = ''
  let total = 1
  let shown = ''

  function at(done: number): void {
    if (!live) return
    const share = Math.min(1, done / total)
    const filled = Math.round(share * barWidth)
    const bar = styleText('cyan', '█'.repeat(filled)) + styleText('dim', '░'.repeat(barWidth - filled))
    const line = `${bar} ${String(Math.floor(share * 100)).padStart(3)} %  ${name}`
    // Most steps change nothing that can be seen.
    if (line !== shown) terminal.write(`\r\u001b[2K${line}`)
    shown = line
  }

  return {
    phase(next, steps) {
      name = next
      total = Math.max(1, steps)
      if (live) at(0)
      else terminal.write(`${name}\n`)
    },
    at,
    end() {
      if (live) terminal.write('\r\u001b[2K')
    },
  }
}
