import { callBack, onRejection, synchronous } from '../../../options/observe-promise.ts'
import { Writable } from 'node:stream'
import { member, ownCopy } from '../../../options/own-members.ts'
import type { OnDiagnostic } from '../../../options/configuration-error.ts'
import { thrownName } from '../../../values/thrown-marker.ts'
import { LEVEL, MESSAGE, type Format, type TransformableInfo } from '../info.ts'
import { withTerminalText } from '../terminal-text.ts'
import { levelNumber, type LevelNumbers } from '../levels.ts'
import { jsonOf } from '../formats/json.ts'

/** Options that every transport takes. */
export interface TransportOptions {
  /** The least severe level it takes, by name. Default: its logger's. */
  readonly level?: string
  /** How it writes, after the logger's own format. Default: as that has it. */
  readonly format?: Format
  /** Writes nothing. Default false. */
  readonly silent?: boolean
  /** Writes exceptions that nobody caught. Default false. */
  readonly handleExceptions?: boolean
  /** Writes rejections that nobody handled. Default false. */
  readonly handleRejections?: boolean
  /**
   * Escapes control characters in finished text, other than line breaks, tabs and colors, and marks that reorder text, so that logged
   * data cannot control a terminal. false writes the text as formats made it, as winston does. Default true.
   */
  readonly escapeControls?: boolean
  /** Its name. Default: that of its kind. */
  readonly name?: string
}

/** What a transport knows of the logger that it belongs to: one of this package, or of winston. */
export interface TransportParent {
  /** The least severe level that is written, by name. */
  readonly level?: string
  /** Levels by name: the lower the number, the more severe. */
  readonly levels: LevelNumbers
  /** How a record becomes text, before the transport's own format. */
  readonly format?: Format
  /** Tells trouble. Loggers of winston have none. */
  readonly reportDiagnostic?: OnDiagnostic
}

/** Calls back when a transport is done with a record. */
export type Next = (error?: Error | null) => void

/**
 * What all transports are: a stream of infos. It works in a logger of winston 3 as in one of this package; classes of one's own
 * extend it, or that of winston-transport, and implement `log(info, next)`.
 */
export class Transport extends Writable {
  /** What it is called where trouble is told. */
  name: string
  /** The least severe level it takes, by name; undefined: its logger's. */
  level: string | undefined
  /** How it writes, after the logger's own format; undefined: as that has it. */
  format: Format | undefined
  /** Writes nothing. */
  silent: boolean
  /** Writes exceptions that nobody caught. */
  handleExceptions: boolean
  /** Writes rejections that nobody handled. */
  handleRejections: boolean
  /** Whether control characters in finished text are escaped. */
  escapeControls: boolean
  /** The logger's levels. */
  levels: LevelNumbers = {}
  /** The logger that it belongs to: of several the first one. */
  parent: TransportParent | undefined
  /** Writes one record and calls `next` when it is done with it. */
  log?(info: TransformableInfo, next: Next): unknown
  /** Called when its last logger lets it go. */
  close?(): void
  private readonly loggers = new Set<unknown>()

  constructor(options: TransportOptions = {}) {
    super(ownCopy({ objectMode: true, autoDestroy: false }))
    const {
      level,
      format,
      silent = false,
      handleExceptions = false,
      handleRejections = false,
      escapeControls = true,
      name,
    } = ownCopy(options)
    this.name = name ?? 'transport'
    this.level = level
    this.format = format
    this.silent = silent
    this.handleExceptions = handleExceptions
    this.handleRejections = handleRejections
    this.escapeControls = escapeControls
    // Any number of loggers may share it, and each listens.
    this.setMaxListeners(0)
    this.on('pipe', (logger: unknown) => this.piped(logger))
    this.on('unpipe', (logger: unknown) => this.unpiped(logger))
  }

  /** Whether it writes records of this level. */
  takes(level: unknown): boolean {
    if (this.silent) return false
    const least = this.level || (this.parent && member(this.parent, 'level'))
    if (!least) return true
    const number = levelNumber(this.levels, level)
    const most = levelNumber(this.levels, least)
    return number !== undefined && most !== undefined && most >= number
  }

  /** Writes a record if it is of its levels. A format that throws costs the record its form. */
  accept(info: TransformableInfo, next: Next = ignore): void {
    if (member(info, 'exception') === true && !this.handleExceptions) return next()
    if (!this.takes(info[LEVEL])) return next()
    const formatted =
      this.format === undefined
        ? info
        : formattedBy(this.format, { ...info }, this.parent && member(this.parent, 'reportDiagnostic'))
    if (formatted === undefined) return next()
    const answer = this.log!(this.escapeControls ? withTerminalText(formatted) : formatted, next)
    if (typeof answer === 'object')
      observeLog(answer, this.name, this.parent && member(this.parent, 'reportDiagnostic'), next)
  }

  /** Node's own. */
  override _write(info: TransformableInfo, _: unknown, next: Next): void {
    this.accept(info, next)
  }

  private piped(logger: unknown): void {
    this.loggers.add(logger)
    // Of several loggers the first one decides, as in winston.
    if (this.parent !== undefined) return
    this.parent = logger as TransportParent
    this.levels = member(this.parent, 'levels') as LevelNumbers
  }

  private unpiped(logger: unknown): void {
    if (!this.loggers.delete(logger)) return
    if (this.loggers.size > 0) return
    this.parent = undefined
    const close: (() => unknown) | undefined = member(this as Transport, 'close')
    const reportDiagnostic = member(logger as TransportParent, 'reportDiagnostic')
    if (close === undefined) return
    callBack(
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

/** What a format makes of an info; undefined where it leaves it out. Never throws: then the info is written as JSON. */
export function formattedBy(
  format: Format,
  info: TransformableInfo,
  reportDiagnostic: OnDiagnostic | undefined,
): TransformableInfo | undefined {
  // What is left of it is what the format has not changed yet.
  const whole = { ...info }
  try {
    const formatted = synchronous(format.transform(info, member(format, 'options')), 'a format')
    if (formatted === false || !formatted) return undefined
    // What a format of another library has set.
    synchronous((formatted as TransformableInfo)[MESSAGE], 'a format')
    return formatted as TransformableInfo
  } catch (error) {
    const message = `a format threw, and the record was written as JSON: ${thrownName(error)}`
    reportDiagnostic?.({ code: 'SLUICE_FORMAT_FAILED', message })
    whole[MESSAGE] = jsonOf({ ...whole, formatError: `[Threw: ${thrownName(error)}]` })
    return whole
  }
}

/** Calls back once something is over that never rejects, from the event loop, so that what that throws is nobody's rejection. */
export async function doneAfter(waited: Promise<unknown>, done: () => void): Promise<void> {
  await waited
  process.nextTick(done)
}

/** What an asynchronous `log` rejects with costs the record; without `next` the transport would stop. */
export function observeLog(
  answer: unknown,
  name: string,
  reportDiagnostic: OnDiagnostic | undefined,
  next: Next,
): void {
  onRejection(answer, (error) => {
    reportDiagnostic?.({
      code: 'SLUICE_EXPORT_FAILED',
      message: `${name} threw, and the record is lost: ${thrownName(error)}`,
    })
    next()
  })
}

function ignore(): void {}
