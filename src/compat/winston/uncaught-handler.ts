import { loadavg, uptime } from 'node:os'
import { disownPromise } from '../../options/observe-promise.ts'
import { infoOfObject } from './call-info.ts'
import { SOURCE, textOf } from './info.ts'
import type { Logger } from './logger.ts'
import { readMember } from './safe-info.ts'
import type { TargetList } from './target-list.ts'
import type { AnyTransport } from './targets.ts'
import { events, onUncaughtException, type Uncaught } from './uncaught.ts'
import { member } from '../../options/own-members.ts'
import { setMember } from '../../options/define-member.ts'

/** How long the process waits for transports of others before it ends, in ms. */
const patience = 3_000

/** Writes what nobody caught or handled, and ends the process then where `exitOnError` says so. */
export class UncaughtHandler {
  private readonly logger: Logger
  private readonly targets: TargetList
  private readonly kind: Uncaught
  private unhear: (() => void) | undefined

  constructor(logger: Logger, targets: TargetList, kind: Uncaught) {
    this.logger = logger
    this.targets = targets
    this.kind = kind
  }

  /** Begins, and adds transports that get nothing else. */
  handle(...transports: readonly (AnyTransport | readonly AnyTransport[])[]): void {
    for (const transport of transports.flat()) this.addHandler(transport)
    this.unhear ??= onUncaughtException(this.kind, this.caught)
  }

  /** Ends it. */
  unhandle(): void {
    if (this.unhear === undefined) return
    this.unhear()
    this.unhear = undefined
    this.targets.remove(({ only }) => only === this.kind)
  }

  /** What is logged of an error. */
  getAllInfo(error: unknown): object {
    const message = typeof error === 'string' ? error : memberOf(error, 'message')
    const stack = memberOf(error, 'stack')
    return {
      [SOURCE]: error,
      error,
      level: 'error',
      message: `${events[this.kind]}: ${textOf(message ?? '') || '(no error message)'}\n${textOf(stack ?? '  No stack trace')}`,
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

  private readonly caught = (error: unknown): void => {
    const { logger } = this
    const exits = this.exits(error)
    let isOver = false
    const end = () => {
      if (isOver) return
      isOver = true
      logger.flushSync()
      if (exits) process.exit(1)
    }
    if (exits) setTimeout(end, patience)
    try {
      logger.pass(infoOfObject('error', this.getAllInfo(error), logger), end)
    } catch (failure) {
      logger.lost(failure)
      end()
    }
  }

  private exits(error: unknown): boolean {
    const { exitOnError } = this.logger
    try {
      if (typeof exitOnError !== 'function') return exitOnError
      const exits: unknown = exitOnError(error)
      return disownPromise(exits) || Boolean(exits)
    } catch {
      return true
    }
  }
}

function memberOf(error: unknown, key: string): unknown {
  return typeof error === 'object' && error !== null ? readMember(error, key) : undefined
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

/** The frames of a stack, as V8 writes them. */
function traceOf(stack: unknown): object[] {
  if (typeof stack !== 'string') return []
  return stack.split('\n').flatMap((line) => {
    const [, name = null, file, row, column] = /^\s*at (?:(.+?) \()?(.+?):(\d+):(\d+)\)?$/.exec(line) ?? []
    if (file === undefined) return []
    const method = name?.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : null
    return [{ column: Number(column), file, function: name, line: Number(row), method, native: false }]
  })
}
