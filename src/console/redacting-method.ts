import { format } from 'node:util'
import type { TextPatterns } from '../redact/patterns/text-patterns.ts'
import type { Method, Methods } from './hooks.ts'
import type { ConsoleMethod } from './methods.ts'
import { redactedArguments } from './redacted-arguments.ts'
import { stackOf } from './trace.ts'
import { define } from '../options/define-member.ts'

/** Wraps the methods of a console so that patterns are applied to the arguments before Node formats and truncates them. */
export function redactingMethod(patterns: TextPatterns): (name: ConsoleMethod, methods: Methods) => Method {
  return (name, methods) => {
    function redacting(...args: unknown[]): unknown {
      const shown = redactedArguments(name, args, patterns)
      // Built here, because the console's own trace would include a frame of this package.
      return name === 'trace' ? methods.error(stackOf(format(...shown), redacting)) : methods[name](...shown)
    }
    define(redacting, 'name', { value: name, configurable: true })
    return redacting
  }
}
