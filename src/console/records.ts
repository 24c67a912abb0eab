import { format } from 'node:util'
import { define } from '../options/define-member.ts'
import type { LogCall, EmitCall } from '../logger/log-call.ts'
import type { TextPatterns } from '../redact/patterns/text-patterns.ts'
import type { ConsoleInterceptors, Method, Methods, ConsoleInterceptor } from './interceptors.ts'
import { underlyingMethods, type ConsoleMethod } from './methods.ts'
import { isLoggedSeparately, parseConsoleArguments } from './parse-arguments.ts'
import { redactedArguments } from './redacted-arguments.ts'
import { redactPrintedBytes } from './redact-printed-bytes.ts'
import { createStreamProxy, type StreamProxy } from './stream-proxy.ts'
import { stackOf } from './trace.ts'
import { logCallOf } from '../logger/log-call.ts'

/** How console calls become records. */
export interface RecordsSettings {
  readonly levels: Readonly<Record<ConsoleMethod, string>>
  readonly objects: 'text' | 'attributes'
  readonly emitCall: EmitCall
  /** Redaction patterns for all text. */
  readonly patterns: TextPatterns | undefined
  /** Returns whether a record of this level would be logged. */
  readonly isEnabled: (level: string) => boolean
}

/**
 * Methods that do nothing but print. Their arguments can be logged as values, and need not be formatted when the level is disabled. The
 * other methods do more, such as counting and grouping, and print through these.
 */
const printOnlyMethods: ReadonlySet<ConsoleMethod> = new Set([
  'log',
  'info',
  'debug',
  'dir',
  'dirxml',
  'table',
  'warn',
  'error',
  'trace',
])

/**
 * Creates an interceptor that emits a record for each call that prints. The console itself formats the text, with its groups, counters and
 * timers, and writes it to a stream proxy. Text printed in other ways, for example by a method saved earlier, is written to the original
 * stream.
 */
export function createRecordsInterceptor(
  settings: RecordsSettings,
  interceptors: Pick<ConsoleInterceptors, 'beneath'>,
): ConsoleInterceptor {
  /** The method of the call that is currently printing. */
  let activeMethod: ConsoleMethod | undefined
  /** If set, receives the printed text, and no record is emitted for it. */
  let textReceiver: ((text: string) => void) | undefined

  function createStream(name: 'stdout' | 'stderr'): StreamProxy {
    const write = (text: string): void => {
      if (textReceiver !== undefined) textReceiver(text)
      else if (activeMethod === undefined) interceptors.beneath(name).write(text)
      else emit(activeMethod, logCallOf(redactBytes(text.endsWith('\n') ? text.slice(0, -1) : text)))
    }
    // No colors: records are not written for a terminal.
    return createStreamProxy(write, () => undefined)
  }

  function redactBytes(text: string): string {
    return settings.patterns === undefined ? text : redactPrintedBytes(text, settings.patterns)
  }

  /** Emits a record. Code that runs meanwhile, such as a getter or an exporter, may call console methods: those are separate calls. */
  function emit(method: ConsoleMethod, call: LogCall): void {
    const outerMethod = activeMethod
    activeMethod = undefined
    try {
      settings.emitCall(settings.levels[method], call)
    } finally {
      activeMethod = outerMethod
    }
  }

  /** Runs an action whose output belongs to a call of the given method. */
  function printAs<T>(method: ConsoleMethod, action: () => T): T {
    const outerMethod = activeMethod
    activeMethod = method
    try {
      return action()
    } finally {
      activeMethod = outerMethod
    }
  }

  /** Indents text by the open groups. Only the console tracks these, so an empty line is printed to find the indentation. */
  function indentText(text: unknown, print: Method): unknown {
    if (typeof text !== 'string') return text
    let indent = ''
    textReceiver = (line) => (indent = line.slice(0, -1))
    try {
      print('')
    } finally {
      textReceiver = undefined
    }
    return indent === '' ? text : indent + text.replaceAll('\n', `\n${indent}`)
  }

  /** Emits a call whose arguments are logged as values. `stack` is added after the text of a trace. */
  function emitParsed(method: ConsoleMethod, args: readonly unknown[], print: Method, stack?: string): void {
    const call = parseConsoleArguments(args)
    if (stack === undefined) return emit(method, { ...call, body: indentText(call.body, print) })
    const extra = typeof call.body === 'string' || call.body === undefined ? call.extra : [call.body]
    emit(method, { ...call, extra, body: indentText(traceMessage(call, stack), print) })
  }

  function wrap(name: ConsoleMethod, methods: Methods): Method {
    const method = methods[name]
    function captured(...args: unknown[]): unknown {
      // A method that prints through another one is logged under its own name: `table` calls `log`.
      const loggedMethod =
        activeMethod !== undefined &&
        Object.hasOwn(underlyingMethods, activeMethod) &&
        underlyingMethods[activeMethod] === name
          ? activeMethod
          : name
      if (printOnlyMethods.has(name) && !settings.isEnabled(settings.levels[loggedMethod])) return undefined
      const values = name === 'dir' || name === 'table' ? args.slice(0, 1) : args
      const logsValues =
        settings.objects === 'attributes' && printOnlyMethods.has(name) && values.some(isLoggedSeparately)
      const { patterns } = settings
      const shownArgs = logsValues || patterns === undefined ? args : redactedArguments(name, args, patterns)
      if (name === 'trace') {
        // The trace is built here, because the stack in that of the console would include a frame of this package.
        if (logsValues) return emitParsed(loggedMethod, values, methods.log, stackOf('', captured))
        const stack = stackOf(format(...shownArgs), captured)
        return printAs(loggedMethod, () => methods.error(stack))
      }
      return logsValues
        ? emitParsed(loggedMethod, values, methods.log)
        : printAs(loggedMethod, () => method(...shownArgs))
    }
    define(captured, 'name', { value: name, configurable: true })
    return captured
  }

  return { stdout: createStream('stdout'), stderr: createStream('stderr'), wrap }
}

/** Returns the message of a trace, with its stack frames. If it has placeholders, percent signs in the frames are escaped. */
function traceMessage({ body, args }: LogCall, stack: string): string {
  const frames = stack.slice(stack.indexOf('\n'))
  const message = typeof body === 'string' ? `Trace: ${body}` : 'Trace'
  return message + (args === undefined ? frames : frames.replaceAll('%', '%%'))
}
