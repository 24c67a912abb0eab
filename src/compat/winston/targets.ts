import type { Writable } from 'node:stream'
import { member } from '../../options/own-members.ts'
import type { OnDiagnostic } from '../../options/configuration-error.ts'
import { thrownName } from '../../values/thrown-marker.ts'
import type { TransformableInfo } from './info.ts'
import { withTerminalText } from './terminal-text.ts'
import { levelNumber, type LevelNumbers } from './levels.ts'
import { boundedWrite } from './transports/bounded-write.ts'
import { observeLog, Transport } from './transports/transport.ts'
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
  const stream = Object(value) as Partial<AnyTransport> & { _writableState?: { objectMode?: boolean } }
  const state = member(stream, '_writableState')
  return (
    typeof member(stream, 'write') === 'function' &&
    typeof member(stream, 'on') === 'function' &&
    (member(stream, 'writableObjectMode') ?? (state && member(state, 'objectMode'))) === true
  )
}

/** Whether a transport writes records of a level. Of streams that have no levels nobody knows. */
export function takesLevel({ transport, only }: Target, level: string, own: string, levels: LevelNumbers): boolean {
  if (only !== undefined) return false
  if (transport instanceof Transport) return transport.takes(level)
  if (member(transport, 'silent')) return false
  const most = levelNumber(levels, member(transport, 'level') || own)
  const number = levelNumber(levels, level)
  return most !== undefined && number !== undefined && most >= number
}

/** Gives a transport a record. `done` is called when it has taken it, or failed. Never throws. */
export function give(target: Target, info: TransformableInfo, reportDiagnostic: OnDiagnostic, done?: () => void): void {
  try {
    giveTo(target, info, reportDiagnostic, done)
  } catch (error) {
    const name = member(target.transport, 'name') ?? 'transport'
    reportDiagnostic({
      code: 'SLUICE_EXPORT_FAILED',
      message: `${name} threw, and the record is lost: ${thrownName(error)}`,
    })
    done?.()
  }
}

function giveTo(
  { transport, only }: Target,
  info: TransformableInfo,
  reportDiagnostic: OnDiagnostic,
  done?: () => void,
): void {
  if (only !== undefined && member(info, only) !== true) return done?.()
  const name = member(transport, 'name') ?? 'transport'
  const log = only === undefined ? undefined : member(transport as { log?: unknown }, 'log')
  if (typeof log === 'function') {
    const isOurs = transport instanceof Transport
    const shown = isOurs && !transport.escapeControls ? info : withTerminalText(info)
    observeLog(
      log.call(transport, shown, () => done?.()),
      name,
      reportDiagnostic,
      () => done?.(),
    )
  } else if (transport instanceof Transport) {
    transport.accept(info, () => done?.())
  } else boundedWrite(transport, withTerminalText(info), name, reportDiagnostic, done)
}
