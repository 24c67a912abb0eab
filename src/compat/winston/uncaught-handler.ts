import { loadavg, uptime } from 'node:os'
import { ignoreRejection } from '../../options/observe-promise.ts'
import { infoOfObject, type MetaMembers } from './call-info.ts'
import { ERROR_SOURCE, textOf } from './info.ts'
import { memberOrThrownMarker } from './safe-info.ts'
import type { TargetList } from './target-list.ts'
import type { AnyTransport } from './targets.ts'
import { uncaughtEvents, onUncaught, type UncaughtKind } from './uncaught.ts'
import { member } from '../../options/own-members.ts'
import { setMember } from '../../options/define-member.ts'

/** Maximum time that the process waits for transports before it ends, in milliseconds. */
const maxWaitMillis = 3_000

/** The logger that writes uncaught errors. */
interface UncaughtLogger extends MetaMembers {
  readonly exitOnError: boolean | ((error: unknown) => boolean)
  flushSync(): unknown
  pass(info: ReturnType<typeof infoOfObject>, done: () => void): void
  lost(error: unknown): void
}

/** Writes uncaught exceptions or unhandled rejections, and then ends the process if `exitOnError` requires it. */
export class UncaughtHandler {
  private readonly logger: UncaughtLogger
  private readonly targets: TargetList
  private readonly kind: UncaughtKind
  private stopListening: (() => void) | undefined

  constructor(logger: UncaughtLogger, targets: TargetList, kind: UncaughtKind) {
    this.logger = logger
    this.targets = targets
    this.kind = kind
  }

  /** Starts handling, and adds transports that receive nothing else. */
  handle(...transports: readonly (AnyTransport | readonly AnyTransport[])[]): void {
    for (const transport of transports.flat()) this.addHandler(transport)
    this.stopListening ??= onUncaught(this.kind, this.handleUncaught)
  }

  /** Stops handling, and removes the transports that receive nothing else. */
  unhandle(): void {
    if (this.stopListening === undefined) return
    this.stopListening()
    this.stopListening = undefined
    this.targets.remove(({ uncaughtKind }) => uncaughtKind === this.kind)
  }

  /** Returns the info that is logged for an error. */
  getAllInfo(error: unknown): object {
    const message = typeof error === 'string' ? error : memberOf(error, 'message')
    const stack = memberOf(error, 'stack')
    return {
      [ERROR_SOURCE]: error,
      error,
      level: 'error',
      message: `${uncaughtEvents[this.kind]}: ${textOf(message ?? '') || '(no error message)'}\n${textOf(stack ?? '  No stack trace')}`,
      stack,
      [this.kind]: true,
      date: new Date().toString(),
      process: processInfo(),
      os: { loadavg: loadavg(), uptime: uptime() },
      trace: traceOf(stack),
    }
  }

  private addHandler(transport: AnyTransport): void {
    if (!this.targets.add(transport, this.kind)) return
    setMember(transport, this.kind === 'exception' ? 'handleExceptions' : 'handleRejections', true)
  }

  private readonly handleUncaught = (error: unknown): void => {
    const { logger } = this
    const shouldExit = this.shouldExit(error)
    let isDone = false
    const finish = () => {
      if (isDone) return
      isDone = true
      logger.flushSync()
      if (shouldExit) process.exit(1)
    }
    if (shouldExit) setTimeout(finish, maxWaitMillis)
    try {
      logger.pass(infoOfObject('error', this.getAllInfo(error), logger), finish)
    } catch (failure) {
      logger.lost(failure)
      finish()
    }
  }

  /** Returns whether the process ends. It does if the user's function throws or returns a promise. */
  private shouldExit(error: unknown): boolean {
    const { exitOnError } = this.logger
    try {
      if (typeof exitOnError !== 'function') return exitOnError
      const shouldExit: unknown = exitOnError(error)
      const isPromise = ignoreRejection(shouldExit)
      return isPromise || Boolean(shouldExit)
    } catch {
      return true
    }
  }
}

function memberOf(error: unknown, key: string): unknown {
  return typeof error === 'object' && error !== null ? memberOrThrownMarker(error, key) : undefined
}

function processInfo(): object {
  return {
    pid: process.pid,
    uid: member(process, 'getuid')?.() ?? null,
    gid: member(process, 'getgid')?.() ?? null,
    cwd: process.cwd(),
    execPath: process.execPath,
    version: process.version,
    argv: process.argv,
    memoryUsage: process.memoryUsage(),
  }
}

/** Parses the frames of a stack in V8's format. */
function traceOf(stack: unknown): object[] {
  if (typeof stack !== 'string') return []
  return stack.split('\n').flatMap((line) => {
    const [, name = null, file, row, column] = /^\s*at (?:(.+?) \()?(.+?):(\d+):(\d+)\)?$/.exec(line) ?? []
    if (file === undefined) return []
    const method = name?.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : null
    return [{ column: Number(column), file, function: name, line: Number(row), method, native: false }]
  })
}
