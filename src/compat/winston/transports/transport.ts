import { callUserCallback, handleRejection, requireSynchronous } from '../../../options/observe-promise.ts'
import { Writable } from 'node:stream'
import { member, withoutPrototype } from '../../../options/own-members.ts'
import type { OnDiagnostic } from '../../../options/configuration-error.ts'
import { thrownName } from '../../../values/thrown-marker.ts'
import { directedInfos } from '../directed-infos.ts'
import { LEVEL, MESSAGE, type Format, type TransformableInfo } from '../info.ts'
import { withEscapedControls } from '../terminal-text.ts'
import { levelNumber, type LevelNumbers } from '../levels.ts'
import { jsonOf } from '../formats/json.ts'

/** Options of all transports. */
export interface TransportOptions {
  /**
   * Minimum level that is written, by name.
   *
   * @defaultValue the level of the logger
   */
  readonly level?: string
  /**
   * Format that is applied after the format of the logger.
   *
   * @defaultValue none
   */
  readonly format?: Format
  /**
   * Disables the transport.
   *
   * @defaultValue false
   */
  readonly silent?: boolean
  /**
   * Whether uncaught exceptions are written.
   *
   * @defaultValue false
   */
  readonly handleExceptions?: boolean
  /**
   * Whether the logger handles unhandled rejections. As in winston, all of its transports then write them.
   *
   * @defaultValue false
   */
  readonly handleRejections?: boolean
  /**
   * Whether control characters in finished text, other than line breaks, tabs and colors, and marks that reorder text are escaped, so that
   * logged data cannot control a terminal. `false` writes the text as formats returned it, as winston does.
   *
   * @defaultValue true
   */
  readonly escapeControls?: boolean
  /**
   * Name of the transport.
   *
   * @defaultValue a name for its type
   */
  readonly name?: string
}

/** The members of its logger that a transport uses. The logger is one of this package or of winston. */
export interface TransportParent {
  /** The minimum level that is logged, by name. */
  readonly level?: string
  /** Levels by name. Lower numbers are more severe. */
  readonly levels: LevelNumbers
  /** Format that is applied before the transport's own format. */
  readonly format?: Format
  /** Reports a diagnostic. Loggers of winston do not have it. */
  readonly reportDiagnostic?: OnDiagnostic
}

/** Called when a transport has handled a record. */
export type Next = (error?: Error | null) => void

/**
 * Base class of all transports: a writable stream of infos. It works in loggers of winston 3 and of this package. Custom transports
 * extend it, or the class of winston-transport, and implement `log(info, next)`.
 */
export class Transport extends Writable {
  /** The name of the transport in diagnostics. */
  name: string
  /** The minimum level that is written, by name; undefined: that of the logger. */
  level: string | undefined
  /** Format that is applied after the format of the logger; undefined: none. */
  format: Format | undefined
  /** Whether the transport is disabled. */
  silent: boolean
  /** Whether uncaught exceptions are written. */
  handleExceptions: boolean
  /** Whether the logger handles unhandled rejections. */
  handleRejections: boolean
  /** Whether control characters in finished text are escaped. */
  escapeControls: boolean
  /** The levels of the logger. */
  levels: LevelNumbers = {}
  /** The logger of the transport; with several loggers, the first one. */
  parent: TransportParent | undefined
  /** Writes one record, and calls `next` when that is done. */
  log?(info: TransformableInfo, next: Next): unknown
  /** Called when the last logger removes the transport. */
  close?(): void
  private readonly loggers = new Set<unknown>()

  constructor(options: TransportOptions = {}) {
    super(withoutPrototype({ objectMode: true, autoDestroy: false }))
    const {
      level,
      format,
      silent = false,
      handleExceptions = false,
      handleRejections = false,
      escapeControls = true,
      name,
    } = withoutPrototype(options)
    this.name = name ?? 'transport'
    this.level = level
    this.format = format
    this.silent = silent
    this.handleExceptions = handleExceptions
    this.handleRejections = handleRejections
    this.escapeControls = escapeControls
    // Any number of loggers may share the transport, and each adds listeners.
    this.setMaxListeners(0)
    this.on('pipe', (logger: unknown) => this.handlePipe(logger))
    this.on('unpipe', (logger: unknown) => this.handleUnpipe(logger))
  }

  /** Returns whether the transport writes records of this level. */
  takes(level: unknown): boolean {
    if (this.silent) return false
    const minLevel = this.level || (this.parent && member(this.parent, 'level'))
    if (!minLevel) return true
    const number = levelNumber(this.levels, level)
    // Lower numbers are more severe, so the minimum level is the highest number.
    const maxNumber = levelNumber(this.levels, minLevel)
    return number !== undefined && maxNumber !== undefined && maxNumber >= number
  }

  /**
   * Writes a record if its level is enabled; an uncaught exception only with `handleExceptions`. If the transport's format throws, the
   * record is written as JSON.
   */
  accept(info: TransformableInfo, next: Next = ignore): void {
    if (member(info, 'exception') === true && !this.handleExceptions) return next()
    const isDirected = !this.silent && !this.level && directedInfos.has(info)
    if (!isDirected && !this.takes(info[LEVEL])) return next()
    const formatted =
      this.format === undefined
        ? info
        : applyFormat(this.format, { ...info }, this.parent && member(this.parent, 'reportDiagnostic'))
    if (formatted === undefined) return next()
    const result = this.log!(this.escapeControls ? withEscapedControls(formatted) : formatted, next)
    if (typeof result === 'object')
      observeLog(result, this.name, this.parent && member(this.parent, 'reportDiagnostic'), next)
  }

  /** Implements `Writable`. */
  override _write(info: TransformableInfo, _: unknown, next: Next): void {
    this.accept(info, next)
  }

  private handlePipe(logger: unknown): void {
    this.loggers.add(logger)
    // With several loggers, the first one is used, as in winston.
    if (this.parent !== undefined) return
    this.parent = logger as TransportParent
    this.levels = member(this.parent, 'levels') as LevelNumbers
  }

  private handleUnpipe(logger: unknown): void {
    if (!this.loggers.delete(logger)) return
    if (this.loggers.size > 0) return
    this.parent = undefined
    const close: (() => unknown) | undefined = member(this as Transport, 'close')
    const reportDiagnostic = member(logger as TransportParent, 'reportDiagnostic')
    if (close === undefined) return
    callUserCallback(
      () => close.call(this),
      [],
      (error) => {
        reportDiagnostic?.({
          code: 'SLUICE_EXPORT_FAILED',
          message: `close() of ${this.name} threw: ${thrownName(error)}`,
        })
      },
    )
  }
}

/** Applies a format. Returns undefined if it omits the record. Never throws: if the format throws, the record is written as JSON. */
export function applyFormat(
  format: Format,
  info: TransformableInfo,
  reportDiagnostic: OnDiagnostic | undefined,
): TransformableInfo | undefined {
  // Copied, because a format that throws may have changed the info partially.
  const original = { ...info }
  try {
    const formatted = requireSynchronous(format.transform(info, member(format, 'options')), 'a format')
    if (formatted === false || !formatted) return undefined
    // A format of another library may have set a promise.
    requireSynchronous((formatted as TransformableInfo)[MESSAGE], 'a format')
    return formatted as TransformableInfo
  } catch (error) {
    const message = `a format threw, and the record was written as JSON: ${thrownName(error)}`
    reportDiagnostic?.({ code: 'SLUICE_FORMAT_FAILED', message })
    original[MESSAGE] = jsonOf({ ...original, formatError: `[Threw: ${thrownName(error)}]` })
    return original
  }
}

/**
 * Calls back in the next tick after a promise that never rejects is resolved. Without the tick, an error that the callback throws would
 * be an unhandled rejection instead of an uncaught exception.
 */
export async function callWhenSettled(promise: Promise<unknown>, done: () => void): Promise<void> {
  await promise
  process.nextTick(done)
}

/** Reports a rejected promise of an asynchronous `log`. The record is lost, and `next` is called so that the transport continues. */
export function observeLog(
  result: unknown,
  name: string,
  reportDiagnostic: OnDiagnostic | undefined,
  next: Next,
): void {
  handleRejection(result, (error) => {
    reportDiagnostic?.({
      code: 'SLUICE_EXPORT_FAILED',
      message: `${name} rejected, and the record is lost: ${thrownName(error)}`,
    })
    next()
  })
}

function ignore(): void {}
