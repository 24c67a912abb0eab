import { readdirSync, readFileSync } from 'node:fs'
import type { Totals } from './application.ts'
import { total } from './growth.ts'
import type { Sample } from './messages.ts'

/** The state of a run at one point in time. */
export interface SoakState {
  readonly totals: readonly Totals[]
  /** The number of duplicated records. */
  readonly duplicates: number
  /** The pid of the process whose resources are printed. */
  readonly pid: number | undefined
  /** Its resources at the last calm moment. */
  readonly sample: Sample | undefined
}

const columns = ['minute', 'records/s', 'RSS MiB', 'heap MiB', 'fds', 'handles', 'written', 'duplicates'] as const

/** Prints a table with a row for each minute. */
export class Minutes {
  private before: Figures = { records: 0, written: 0, duplicates: 0, dropped: {} }
  private minute = 0
  private readonly print: (line: string) => void

  constructor(print: (line: string) => void) {
    this.print = print
  }

  /** Prints the row of the last minute or part of a minute. */
  row(state: SoakState, seconds: number): void {
    if (this.minute === 0) this.print(`${columns.map((column) => column.padStart(10)).join('')}  dropped`)
    this.minute++
    const now = figuresOf(state)
    const { sample } = state
    const { rss, fds } = resourcesOf(state.pid)
    const cells = [
      this.minute,
      ((now.records - this.before.records) / seconds).toFixed(0),
      rss,
      sample === undefined ? '–' : (sample.heapUsed / 1_048_576).toFixed(1),
      fds,
      sample === undefined ? '–' : total(sample.resources),
      now.written - this.before.written,
      now.duplicates - this.before.duplicates,
    ]
    const dropped = Object.entries(now.dropped)
      .map(([reason, count]) => [reason, count - (this.before.dropped[reason] ?? 0)] as const)
      .filter(([, count]) => count > 0)
      .map(([reason, count]) => `${reason} ${count}`)
    this.print(`${cells.map((cell) => String(cell).padStart(10)).join('')}  ${dropped.join(', ') || 'none'}`)
    this.before = now
  }
}

interface Figures {
  readonly records: number
  readonly written: number
  readonly duplicates: number
  readonly dropped: Readonly<Record<string, number>>
}

function figuresOf({ totals, duplicates }: SoakState): Figures {
  const dropped: Record<string, number> = {}
  for (const each of totals)
    for (const [reason, count] of Object.entries(each.dropped)) dropped[reason] = (dropped[reason] ?? 0) + count
  return {
    records: totals.reduce((sum, { records }) => sum + records, 0),
    written: totals.reduce((sum, { written }) => sum + written, 0),
    duplicates,
    dropped,
  }
}

function resourcesOf(pid: number | undefined): { readonly rss: string; readonly fds: string } {
  try {
    const [, kib] = /^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? []
    return { rss: (Number(kib) / 1024).toFixed(0), fds: String(readdirSync(`/proc/${pid}/fd`).length) }
  } catch {
    return { rss: '–', fds: '–' }
  }
}
