import { format } from 'node:util'
import { define } from '../options/define-member.ts'
import type { LogCall, EmitCall } from '../logger/log-call.ts'
import type { TextPatterns } from '../redact/patterns/text-patterns.ts'
import type { Hooks, Method, Methods, ConsoleInterceptor } from './hooks.ts'
import { within, type ConsoleMethod } from './methods.ts'
import { isLoggedSeparately, parseConsoleArguments } from './parse-arguments.ts'
import { redactedArguments } from './redacted-arguments.ts'
import { withoutPrintedBytes } from './shown-bytes.ts'
import { streamProxy, type StreamProxy } from './stream-proxy.ts'
import { stackOf } from './trace.ts'
import { logCallOf } from '../logger/log-call.ts'

/** How calls become records. */
export interface RecordsSettings {
  readonly levels: Readonly<Record<ConsoleMethod, string>>
  readonly objects: 'text' | 'attributes'
  readonly emitCall: EmitCall
  /** What no text may hold. */
  readonly patterns: TextPatterns | undefined
  /** Whether a record of this level would be logged. */
  readonly isEnabled: (level: string) => boolean
}

/**
 * Those that only print: their arguments can be logged by themselves, and need not be formatted for a level that is off. The
 * others print through them.
 */
const plain: ReadonlySet<ConsoleMethod> = new Set([
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
 * Makes a record of each call that prints. The console formats the text itself, with its groups, counters and timers, and
 * writes it to a stand-in; what is printed past its methods, as by who kept one from before, goes on to the stream.
 */
export function recordsTap(settings: RecordsSettings, hooks: Pick<Hooks, 'beneath'>): ConsoleInterceptor {
  /** The call that prints at the moment. */
  let active: ConsoleMethod | undefined
  /** What takes the text of the call in place of a record. */
  let aside: ((text: string) => void) | undefined

  function streamOf(name: 'stdout' | 'stderr'): StreamProxy {
    const write = (text: string): void => {
      if (aside !== undefined) aside(text)
      else if (active === undefined) hooks.beneath(name).write(text)
      else say(active, logCallOf(clean(text.endsWith('\n') ? text.slice(0, -1) : text)))
    }
    // No colors: a record is not for a terminal.
    return streamProxy(write, () => undefined)
  }

  function clean(text: string): string {
    return settings.patterns === undefined ? text : withoutPrintedBytes(text, settings.patterns)
  }

  /** What the record's own values and the exporter print meanwhile are calls of their own. */
  function say(method: ConsoleMethod, call: LogCall): void {
    const outer = active
    active = undefined
    try {
      settings.emitCall(settings.levels[method], call)
    } finally {
      active = outer
    }
  }

  /** A call runs as the method that the program has called. */
  function running<T>(method: ConsoleMethod, action: () => T): T {
    const outer = active
    active = method
    try {
      return action()
    } finally {
      active = outer
    }
  }

  /** The text with the indentation of the groups that are open, which only the console knows. */
  function indented(text: unknown, print: Method): unknown {
    if (typeof text !== 'string') return text
    let indent = ''
    aside = (line) => (indent = line.slice(0, -1))
    try {
      print('')
    } finally {
      aside = undefined
    }
    return indent === '' ? text : indent + text.replaceAll('\n', `\n${indent}`)
  }

  /** `stack` stands behind the text of a trace. */
  function sayPlaced(method: ConsoleMethod, args: readonly unknown[], print: Method, stack?: string): void {
    const call = parseConsoleArguments(args)
    if (stack === undefined) return say(method, { ...call, body: indented(call.body, print) })
    const extra = typeof call.body === 'string' || call.body === undefined ? call.extra : [call.body]
    say(method, { ...call, extra, body: indented(traced(call, stack), print) })
  }

  function wrap(name: ConsoleMethod, methods: Methods): Method {
    const method = methods[name]
    function captured(...given: unknown[]): unknown {
      // `table` prints through `log`, and is still a table; what a value prints while it is inspected is not.
      const own = active !== undefined && Object.hasOwn(within, active) && within[active] === name ? active : name
      if (plain.has(name) && !settings.isEnabled(settings.levels[own])) return undefined
      const values = name === 'dir' || name === 'table' ? given.slice(0, 1) : given
      const isByItself = settings.objects === 'attributes' && plain.has(name) && values.some(isLoggedSeparately)
      const { patterns } = settings
      const args = isByItself || patterns === undefined ? given : redactedArguments(name, given, patterns)
      if (name === 'trace') {
        // Written anew: the console's own would show a frame of ours.
        if (isByItself) return sayPlaced(own, values, methods.log, stackOf('', captured))
        const stack = stackOf(format(...args), captured)
        return running(own, () => methods.error(stack))
      }
      return isByItself ? sayPlaced(own, values, methods.log) : running(own, () => method(...args))
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
