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

/** A transport: one of this package, one based on winston-transport, or any writable stream in object mode. */
export interface AnyTransport extends Writable {
  /**
   * Minimum level that is written, by name.
   *
   * @defaultValue the level of the logger
   */
  level?: string | undefined
  /**
   * Whether the transport is disabled.
   *
   * @defaultValue false
   */
  silent?: boolean | undefined
  /**
   * Whether it receives uncaught exceptions.
   *
   * @defaultValue false
   */
  handleExceptions?: boolean | undefined
  /**
   * Whether it receives unhandled rejections.
   *
   * @defaultValue false
   */
  handleRejections?: boolean | undefined
  /**
   * Name of the transport in diagnostics.
   *
   * @defaultValue `transport`
   */
  name?: string
}

/** A transport of a logger. */
export interface Target {
  /** The transport itself. */
  readonly transport: AnyTransport
  /** Set if it receives only uncaught exceptions or unhandled rejections. */
  readonly only: Uncaught | undefined
}

/** Returns whether a value can be a transport. */
export function isTransport(value: unknown): value is AnyTransport {
  const stream = Object(value) as Partial<AnyTransport> & { _writableState?: { objectMode?: boolean } }
  const state = member(stream, '_writableState')
  return (
    typeof member(stream, 'write') === 'function' &&
    typeof member(stream, 'on') === 'function' &&
    (member(stream, 'writableObjectMode') ?? (state && member(state, 'objectMode'))) === true
  )
}

/** Returns whether a transport writes records of a level. A stream without a level uses `own`, the level of the logger. */
export function acceptsLevel({ transport, only }: Target, level: string, own: string, levels: LevelNumbers): boolean {
  if (only !== undefined) return false
  if (transport instanceof Transport) return transport.takes(level)
  if (member(transport, 'silent')) return false
  const most = levelNumber(levels, member(transport, 'level') || own)
  const number = levelNumber(levels, level)
  return most !== undefined && number !== undefined && most >= number
}

/** Passes a record to a transport. `done` is called when it has accepted the record or failed. Never throws. */
export function passToTransport(
  target: Target,
  info: TransformableInfo,
  reportDiagnostic: OnDiagnostic,
  done?: () => void,
): void {
  try {
    deliver(target, info, reportDiagnostic, done)
  } catch (error) {
    const name = member(target.transport, 'name') ?? 'transport'
    reportDiagnostic({
      code: 'SLUICE_EXPORT_FAILED',
      message: `${name} threw, and the record is lost: ${thrownName(error)}`,
    })
    done?.()
  }
}

function deliver(
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
