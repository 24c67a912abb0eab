import type { Writable } from 'node:stream'
import { member } from '../../options/own-members.ts'
import type { OnDiagnostic } from '../../options/configuration-error.ts'
import { thrownName } from '../../values/thrown-marker.ts'
import type { TransformableInfo } from './info.ts'
import { withEscapedControls } from './terminal-text.ts'
import { levelNumber, type LevelNumbers } from './levels.ts'
import { boundedWrite } from './transports/bounded-write.ts'
import { observeLog, Transport } from './transports/transport.ts'
import type { UncaughtKind } from './uncaught.ts'

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
   * Whether the logger handles unhandled rejections. As in winston, all of its transports then receive them.
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

/** A transport of a logger, and which records of the logger it receives. */
export interface Target {
  /** The transport itself. */
  readonly transport: AnyTransport
  /** The only errors that the transport receives: uncaught exceptions or unhandled rejections. If undefined, it receives all records. */
  readonly uncaughtKind: UncaughtKind | undefined
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

/**
 * Returns whether a transport writes records of a level. A stream without a level uses `loggerLevel`. Returns false for a target that
 * receives only uncaught exceptions or unhandled rejections.
 */
export function acceptsLevel(
  { transport, uncaughtKind }: Target,
  level: string,
  loggerLevel: string,
  levels: LevelNumbers,
): boolean {
  if (uncaughtKind !== undefined) return false
  if (transport instanceof Transport) return transport.takes(level)
  if (member(transport, 'silent')) return false
  // Lower numbers are more severe, so the minimum level is the highest number.
  const maxNumber = levelNumber(levels, member(transport, 'level') || loggerLevel)
  const number = levelNumber(levels, level)
  return maxNumber !== undefined && number !== undefined && maxNumber >= number
}

/**
 * Passes a record to a transport, unless the target receives only other records. `done` is called when the transport has accepted the
 * record, failed, or does not receive it. Never throws.
 */
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
  { transport, uncaughtKind }: Target,
  info: TransformableInfo,
  reportDiagnostic: OnDiagnostic,
  done?: () => void,
): void {
  if (uncaughtKind !== undefined && member(info, uncaughtKind) !== true) return done?.()
  const name = member(transport, 'name') ?? 'transport'
  // An uncaught error is passed to `log` directly, so that it is written whatever the level of the transport.
  const log = uncaughtKind === undefined ? undefined : member(transport as { log?: unknown }, 'log')
  if (typeof log === 'function') {
    const isOfThisPackage = transport instanceof Transport
    const safeInfo = isOfThisPackage && !transport.escapeControls ? info : withEscapedControls(info)
    observeLog(
      log.call(transport, safeInfo, () => done?.()),
      name,
      reportDiagnostic,
      () => done?.(),
    )
  } else if (transport instanceof Transport) {
    transport.accept(info, () => done?.())
  } else boundedWrite(transport, withEscapedControls(info), name, reportDiagnostic, done)
}
