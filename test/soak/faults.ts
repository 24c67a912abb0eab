import type { PlantedKind } from './planted.ts'
import type { Misbehavior } from './user-code.ts'

/** A fault of write(2) on one destination of a process. */
export interface WriteFault {
  /** The error of failing writes. undefined: no write fails. */
  readonly error: 'EAGAIN' | 'EINTR' | 'EIO' | 'ENOSPC' | undefined
  /** Every nth write fails. */
  readonly every: number
  /** The number of bytes that are written before the first failure. */
  readonly room: number
  /** The maximum number of bytes of one write. 0: no limit. */
  readonly most: number
  /** The delay of each write, in µs. */
  readonly delayMicros: number
}

/** The faults of a TCP proxy in front of the collector. `refuse`: connections are refused. */
export const proxyModes = ['refuse', 'reset', 'cut', 'stall', 'truncate', 'drip'] as const

/** The responses of the collector, see collector.ts. */
export const collectorResponses = [
  '503',
  '503 with Retry-After',
  '429',
  '400',
  '413',
  'rejects one',
  'no response',
  'unread request',
  'reset before the body',
  'reset after the body',
  'hang-up in the body',
  'stall in the body',
  'drip of the body',
  'drip of a header',
] as const

/** A fault that lasts for some time. */
export type Fault =
  | ({ readonly on: 'file' | 'stdout' } & WriteFault)
  /** The reader of standard output is stopped. */
  | { readonly on: 'reader' }
  | { readonly on: 'proxy'; readonly mode: (typeof proxyModes)[number] }
  | { readonly on: 'collector'; readonly response: (typeof collectorResponses)[number] }
  /** Another process competes for the processor. */
  | { readonly on: 'processor' }

/** An action at one point in time. */
export type Action =
  /** Blocks the event loop. */
  | { readonly do: 'block'; readonly millis: number }
  /** Logs records in one turn. */
  | { readonly do: 'burst'; readonly records: number }
  /** Renames and reopens the files. */
  | { readonly do: 'reopen' }
  /** Kills the writer process. */
  | { readonly do: 'kill writer' }
  /** Creates a link or a damaged file in the directories. */
  | { readonly do: 'plant'; readonly kind: PlantedKind }
  /** User code rejects, throws or never settles, or Object.prototype is polluted. */
  | { readonly do: 'misbehave'; readonly kind: Misbehavior; readonly millis: number }
  /** Logs a fatal record, which is written before the call returns. */
  | { readonly do: 'fatal' }
  /** Ends the process and starts another one. */
  | { readonly do: 'end'; readonly how: 'SIGKILL' | 'SIGTERM' | 'exit' | 'shutdown' }

/** Returns the row of a fault or an action in the fault matrix, or undefined if it has none. */
export function rowOf(what: Fault | Action): number | undefined {
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
      return /^\d/.test(what.response) ? 38 : what.response === 'rejects one' ? 39 : 40
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

function endRow(action: Action): number | undefined {
  return action.do === 'end' ? { SIGKILL: 18, SIGTERM: 17, exit: 15, shutdown: 45 }[action.how] : undefined
}
