import { format } from 'node:util'
import { define } from '../options/define-member.ts'
import type { LogCall, EmitCall } from '../logger/log-call.ts'
import type { TextPatterns } from '../redact/patterns/text-patterns.ts'
import type { Hooks, Method, Methods, ConsoleInterceptor } from './hooks.ts'
import { within, type ConsoleMethod } from './methods.ts'
import { isLoggedSeparately, parseConsoleArguments } from './parse-arguments.ts'
import { redactedArguments } from './redacted-arguments.ts'
import { redactPrintedBytes } from './shown-bytes.ts'
import { streamProxy, type StreamProxy } from './stream-proxy.ts'
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
 * Methods that only print. Their arguments can be logged as values, and need not be formatted when the level is disabled. All other
 * methods print through these.
 */
const printOnly: ReadonlySet<ConsoleMethod> = new Set([
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
 * Emits a record for each call that prints. The console itself formats the text, with its groups, counters and timers, and writes it
 * to a stream proxy. Text printed in other ways, for example by a method saved earlier, is written to the original stream.
 */
export function recordsTap(settings: RecordsSettings, hooks: Pick<Hooks, 'beneath'>): ConsoleInterceptor {
  /** The method of the call that is currently printing. */
  let active: ConsoleMethod | undefined
  /** Receives the text of the call instead of a record. */
  let divertText: ((text: string) => void) | undefined

  function streamOf(name: 'stdout' | 'stderr'): StreamProxy {
    const write = (text: string): void => {
      if (divertText !== undefined) divertText(text)
      else if (active === undefined) hooks.beneath(name).write(text)
      else emit(active, logCallOf(clean(text.endsWith('\n') ? text.slice(0, -1) : text)))
    }
    // No colors: records are not written for a terminal.
    return streamProxy(write, () => undefined)
  }

  function clean(text: string): string {
    return settings.patterns === undefined ? text : redactPrintedBytes(text, settings.patterns)
  }

  /** Emits a record. Values of the record and the exporter may print meanwhile; those are separate calls. */
  function emit(method: ConsoleMethod, call: LogCall): void {
    const outer = active
    active = undefined
    try {
      settings.emitCall(settings.levels[method], call)
    } finally {
      active = outer
    }
  }

  /** Runs an action as part of a call to the given method. */
  function runAs<T>(method: ConsoleMethod, action: () => T): T {
    const outer = active
    active = method
    try {
      return action()
    } finally {
      active = outer
    }
  }

  /** Indents text by the open groups. Only the console tracks these, so an empty line is printed to find the indentation. */
  function indented(text: unknown, print: Method): unknown {
    if (typeof text !== 'string') return text
    let indent = ''
    divertText = (line) => (indent = line.slice(0, -1))
    try {
      print('')
    } finally {
      divertText = undefined
    }
    return indent === '' ? text : indent + text.replaceAll('\n', `\n${indent}`)
  }

  /** Emits a call whose arguments are logged as values. `stack` is added after the text of a trace. */
  function emitParsed(method: ConsoleMethod, args: readonly unknown[], print: Method, stack?: string): void {
    const call = parseConsoleArguments(args)
    if (stack === undefined) return emit(method, { ...call, body: indented(call.body, print) })
    const extra = typeof call.body === 'string' || call.body === undefined ? call.extra : [call.body]
    emit(method, { ...call, extra, body: indented(traced(call, stack), print) })
  }

  function wrap(name: ConsoleMethod, methods: Methods): Method {
    const method = methods[name]
    function captured(...given: unknown[]): unknown {
      // `table` prints through `log`, and is still logged as `table`; what a value prints while it is inspected is not.
      const own = active !== undefined && Object.hasOwn(within, active) && within[active] === name ? active : name
      if (printOnly.has(name) && !settings.isEnabled(settings.levels[own])) return undefined
      const values = name === 'dir' || name === 'table' ? given.slice(0, 1) : given
      const logsValues = settings.objects === 'attributes' && printOnly.has(name) && values.some(isLoggedSeparately)
      const { patterns } = settings
      const args = logsValues || patterns === undefined ? given : redactedArguments(name, given, patterns)
      if (name === 'trace') {
        // Built here, because the console's own trace would include a frame of this package.
        if (logsValues) return emitParsed(own, values, methods.log, stackOf('', captured))
        const stack = stackOf(format(...args), captured)
        return runAs(own, () => methods.error(stack))
      }
      return logsValues ? emitParsed(own, values, methods.log) : runAs(own, () => method(...args))
    }
    define(captured, 'name', { value: name, configurable: true })
    return captured
  }

  return { stdout: streamOf('stdout'), stderr: streamOf('stderr'), wrap }
}

function traced({ body, args }: LogCall, stack: string): string {
  const frames = stack.slice(stack.indexOf('\n'))
  const message = typeof body === 'string' ? `Trace: ${body}` : 'Trace'
  return message + (args === undefined ? frames : frames.replaceAll('%', '%%'))
}
