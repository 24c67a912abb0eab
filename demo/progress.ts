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

/** Shows a progress line that is redrawn on a terminal, or one line per phase. Uses stderr, because stdout has the report. */
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
    // Most steps do not change the line.
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
