import type { Writable } from 'node:stream'
import type { OnProblem } from '../../record/problems.ts'
import type { TransformableInfo } from './info.ts'
import { levelNumber, type LevelNumbers } from './levels.ts'
import { boundedWrite } from './transports/bounded-write.ts'
import { Transport } from './transports/transport.ts'
import type { Uncaught } from './uncaught.ts'

/** A transport: one of this package, one of winston-transport, or any stream in object mode. */
export interface AnyTransport extends Writable {
  /** The least severe level it takes, by name. Default: its logger's. */
  level?: string | undefined
  /** Whether it is given nothing. Default false. */
  silent?: boolean | undefined
  /** Whether it gets exceptions that nobody caught. Default false. */
  handleExceptions?: boolean | undefined
  /** Whether it gets rejections that nobody handled. Default false. */
  handleRejections?: boolean | undefined
  /** What it is called where trouble is told. Default `transport`. */
  name?: string
}

/** A transport of a logger. */
export interface Target {
  /** The transport itself. */
  readonly transport: AnyTransport
  /** It gets nothing but what nobody caught or handled. */
  readonly only: Uncaught | undefined
}

/** Whether something can be a transport. */
export function isTransport(value: unknown): value is AnyTransport {
  const { write, on, writableObjectMode, _writableState } = Object(value) as Partial<AnyTransport> & {
    _writableState?: { objectMode?: boolean }
  }
  return (
    typeof write === 'function' &&
    typeof on === 'function' &&
    (writableObjectMode ?? _writableState?.objectMode) === true
  )
}

/** Whether a transport writes records of a level. Of streams that have no levels nobody knows. */
export function takesLevel({ transport, only }: Target, level: string, own: string, levels: LevelNumbers): boolean {
  if (only !== undefined || transport.silent) return false
  if (transport instanceof Transport) return transport.takes(level)
  const most = levelNumber(levels, transport.level || own)
  const number = levelNumber(levels, level)
  return most !== undefined && number !== undefined && most >= number
}

/** Gives a transport a record. `done` is called when it has taken it. */
export function give({ transport, only }: Target, info: TransformableInfo, tell: OnProblem, done?: () => void): void {
  if (only !== undefined && info[only] !== true) return done?.()
  const name = transport.name ?? 'transport'
  if (only !== undefined && 'log' in transport && typeof transport.log === 'function') {
    transport.log(info, () => done?.())
  } else if (transport instanceof Transport) {
    transport.accept(info, () => done?.())
  } else boundedWrite(transport, info, name, tell, done)
}
