import type { PlantedKind } from './planted.ts'
import type { Misbehavior } from './user-code.ts'

/** What goes wrong with write(2) on one destination of a process. */
export interface WriteFault {
  /** What writes fail with, if they do. */
  readonly error: 'EAGAIN' | 'EINTR' | 'EIO' | 'ENOSPC' | undefined
  /** Each so-manieth write fails; 1: each. */
  readonly every: number
  /** How many bytes are taken before the first failure. */
  readonly room: number
  /** The most bytes that one write takes; 0: all of them. */
  readonly most: number
  /** How long each write takes, in µs. */
  readonly delayMicros: number
}

/** What a TCP proxy may do in front of the collector; `refuse`: nobody listens. */
export const proxyModes = ['refuse', 'reset', 'cut', 'stall', 'truncate', 'drip'] as const

/** How the collector may answer; see collector.ts. */
export const collectorAnswers = [
  '503',
  '503 with Retry-After',
  '429',
  '400',
  '413',
  'rejects one',
  'silence',
  'deafness',
  'reset before the body',
  'reset after the body',
  'hang-up in the body',
  'stall in the body',
  'drip of the body',
  'drip of a header',
] as const

/** What goes wrong for a while. */
export type Fault =
  | ({ readonly on: 'file' | 'stdout' } & WriteFault)
  /** Whoever reads the standard output is stopped. */
  | { readonly on: 'reader' }
  | { readonly on: 'proxy'; readonly mode: (typeof proxyModes)[number] }
  | { readonly on: 'collector'; readonly answer: (typeof collectorAnswers)[number] }
  /** Somebody else wants the processor. */
  | { readonly on: 'processor' }

/** What happens at once. */
export type Act =
  /** The event loop is busy. */
  | { readonly do: 'block'; readonly millis: number }
  /** So many records in one turn. */
  | { readonly do: 'burst'; readonly records: number }
  /** The files are renamed, and opened anew. */
  | { readonly do: 'reopen' }
  /** The process that writes for it is killed. */
  | { readonly do: 'kill writer' }
  /** Someone puts a link or a damaged file into its directories. */
  | { readonly do: 'plant'; readonly kind: PlantedKind }
  /** User code rejects, throws or never settles, or Object.prototype is polluted. */
  | { readonly do: 'misbehave'; readonly kind: Misbehavior; readonly millis: number }
  /** A record that is written before the call returns. */
  | { readonly do: 'fatal' }
  /** The process ends, and another one takes its place. */
  | { readonly do: 'end'; readonly how: 'SIGKILL' | 'SIGTERM' | 'exit' | 'shutdown' }

/** The row of the fault matrix that a fault or an act stands for; undefined for one that is not in it. */
export function rowOf(what: Fault | Act): number | undefined {
  if ('do' in what)
    return {
      block: 27,
      burst: 14,
      reopen: 24,
      'kill writer': 18,
      plant: 9,
      misbehave: undefined,
      fatal: undefined,
      end: endRow(what),
    }[what.do]
  switch (what.on) {
    case 'reader':
      return 11
    case 'proxy':
      return what.mode === 'refuse' ? 37 : what.mode === 'cut' || what.mode === 'reset' ? 41 : 40
    case 'collector':
      return /^\d/.test(what.answer) ? 38 : what.answer === 'rejects one' ? 39 : 40
    case 'processor':
      return 27
    default:
      return writeRow(what)
  }
}

function writeRow({ error, delayMicros }: WriteFault): number {
  if (error !== undefined) return { EAGAIN: 1, EINTR: 2, EIO: 3, ENOSPC: 6 }[error]
  return delayMicros > 0 ? 10 : 5
}

function endRow(act: Act): number | undefined {
  return act.do === 'end' ? { SIGKILL: 18, SIGTERM: 17, exit: 15, shutdown: 45 }[act.how] : undefined
}
