import { jsonLines } from '../../encode/json/json-lines.ts'
import type { LayoutName } from '../../encode/json/layout-bases.ts'
import type { Layout } from '../../encode/json/layout.ts'
import type { Delivery, EncodedBatch, Exporter, ExportResult } from '../../pipeline/exporter.ts'
import { disownPromise } from '../../options/observe-promise.ts'
import { choice, either, object, text, type OptionSchema } from '../../options/option-checks.ts'
import { ConfigurationError, type ConfigurationProblem } from '../../options/configuration-error.ts'
import type { Encoding } from '../../encode/encoding.ts'
import { checkedOptions, deliveryOf, deliverySchema, refuse } from '../exporter-options.ts'

/** Options of `consoleExporter`. */
export interface ConsoleExporterOptions extends Delivery {
  /**
   * What the console is given: `json`, a line, which the logs of edge platforms take apart; `object`, the same as an object,
   * which the tools of a browser can unfold. Default `json`.
   */
  readonly format?: 'json' | 'object'
  /** The names and order of the fields. Default `sluice`. */
  readonly layout?: LayoutName | Layout
}

const schema: OptionSchema = {
  ...deliverySchema,
  format: choice(['json', 'object']),
  layout: either('a layout or the name of one', text(), object),
}

/**
 * Gives each record to the console, in the log call: TRACE and DEBUG to `console.debug`, INFO to `console.info`, WARN to
 * `console.warn`, and what is more severe to `console.error`. It takes these methods as they are now: what replaces them
 * later, to log by way of this exporter, does not make it log in circles.
 *
 * @throws ConfigurationError when the options are wrong.
 */
export function consoleExporter(options: ConsoleExporterOptions = {}): Exporter {
  const { own, problems } = checkedOptions('consoleExporter', options, schema)
  refuse(problems)
  const encoding = encodingOf(own.layout, problems)
  refuse(problems)
  const methods = consoleMethods()
  let closed = false

  function write(batch: EncodedBatch): ExportResult {
    // EXP2
    if (closed) return { status: 'rejected', accepted: 0, reason: 'rejected' }
    let accepted = 0
    for (const { text: line, severity } of batch.records()) {
      const json = line.trimEnd()
      try {
        const answer: unknown = methodFor(severity, methods)(own.format === 'object' ? JSON.parse(json) : json)
        if (answer !== undefined) disownPromise(answer)
      } catch {
        // a console of somebody's own
        return { status: 'rejected', accepted, reason: 'io_error' }
      }
      accepted++
    }
    return { status: 'accepted' }
  }

  return {
    name: 'console',
    component: { type: 'consoleExporter' },
    encoding: encoding!,
    schedule: 'sync',
    delivery: deliveryOf(own),
    export: write,
    exportSync: write,
    async shutdown() {
      closed = true
    },
  }
}

type Method = (said: unknown) => void
type Methods = Readonly<Record<'debug' | 'info' | 'warn' | 'error', Method>>

function consoleMethods(): Methods {
  const { console } = globalThis
  return {
    debug: console.debug.bind(console),
    info: console.info.bind(console),
    warn: console.warn.bind(console),
    error: console.error.bind(console),
  }
}

function methodFor(severity: number, { debug, info, warn, error }: Methods): Method {
  if (severity < 9) return debug
  if (severity < 13) return info
  return severity < 17 ? warn : error
}

function encodingOf(layout: Layout | LayoutName | undefined, problems: ConfigurationProblem[]): Encoding | undefined {
  try {
    return jsonLines(layout)
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    problems.push(...error.problems)
    return undefined
  }
}
