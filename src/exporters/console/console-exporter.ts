import { jsonLines } from '../../encode/json/json-lines.ts'
import type { LayoutName } from '../../encode/json/layout-bases.ts'
import type { Layout } from '../../encode/json/layout.ts'
import type { Delivery, EncodedBatch, Exporter, ExportResult } from '../../pipeline/exporter.ts'
import { ignoreRejection } from '../../options/observe-promise.ts'
import { choice, either, object, text, type OptionSchema } from '../../options/option-checks.ts'
import { ConfigurationError, type ConfigurationProblem } from '../../options/configuration-error.ts'
import type { Encoding } from '../../encode/encoding.ts'
import { checkedOptions, pickDeliveryOptions, deliverySchema, throwIfInvalid } from '../exporter-options.ts'

/** Options of `consoleExporter`. */
export interface ConsoleExporterOptions extends Delivery {
  /**
   * The argument passed to the console: `json` is a line, which the log viewers of edge platforms parse; `object` is the parsed
   * object, which browser developer tools can expand.
   *
   * @defaultValue `json`
   */
  readonly format?: 'json' | 'object'
  /**
   * The names and order of the fields.
   *
   * @defaultValue `sluice`
   */
  readonly layout?: LayoutName | Layout
}

const schema: OptionSchema = {
  ...deliverySchema,
  format: choice(['json', 'object']),
  layout: either('a layout or the name of one', text(), object),
}

/**
 * Creates an exporter that writes each record to the console during the log call: TRACE and DEBUG with `console.debug`, INFO
 * with `console.info`, WARN with `console.warn`, and more severe records with `console.error`. It uses these methods as they
 * are now, so a later replacement that logs through this exporter does not cause an infinite loop.
 *
 * @throws ConfigurationError if the options are invalid.
 */
export function consoleExporter(options: ConsoleExporterOptions = {}): Exporter {
  const { own, problems } = checkedOptions('consoleExporter', options, schema)
  throwIfInvalid(problems)
  const encoding = encodingOf(own.layout, problems)
  throwIfInvalid(problems)
  const methods = consoleMethods()
  let closed = false

  function write(batch: EncodedBatch): ExportResult {
    // A closed exporter rejects every batch (EXP2).
    if (closed) return { status: 'rejected', accepted: 0, reason: 'rejected' }
    let accepted = 0
    for (const { text: line, severity } of batch.records()) {
      const json = line.trimEnd()
      try {
        const returned: unknown = methodFor(severity, methods)(own.format === 'object' ? JSON.parse(json) : json)
        if (returned !== undefined) ignoreRejection(returned)
      } catch {
        // A replaced console method may throw.
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
    delivery: pickDeliveryOptions(own),
    export: write,
    exportSync: write,
    async shutdown() {
      closed = true
    },
  }
}

type Method = (data: unknown) => void
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
