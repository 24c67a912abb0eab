import { jsonLines } from '../../encode/json/json-lines.ts'
import type { LayoutName } from '../../encode/json/layout-bases.ts'
import { layoutCheck, type Layout } from '../../encode/json/layout.ts'
import type { Delivery, EncodedBatch, Exporter, ExportResult } from '../../pipeline/exporter.ts'
import { ignoreRejection } from '../../options/observe-promise.ts'
import { choice, type OptionSchema } from '../../options/option-checks.ts'
import { foreignConsoleOptionNames } from '../../options/foreign-exporter-names.ts'
import { foreignNames } from '../../options/foreign-names.ts'
import { copyAndCheckOptions, pickDeliveryOptions, deliverySchema, throwIfInvalid } from '../exporter-options.ts'

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

/** Values of `format` that other exporters accept, such as `pretty`, with the value to write here, for the error message. */
const formatWords = foreignNames([['pretty text human raw', 'object']])

const schema: OptionSchema = {
  ...deliverySchema,
  format: choice(['json', 'object'], formatWords),
  layout: layoutCheck,
}

/**
 * Creates an exporter that writes each record to the console during the log call: TRACE and DEBUG with `console.debug`, INFO
 * with `console.info`, WARN with `console.warn`, and more severe records with `console.error`. It uses the methods that the console
 * has when the exporter is created, so a later replacement that logs through this exporter does not cause an infinite loop.
 *
 * @throws ConfigurationError if the options are invalid.
 */
export function consoleExporter(options: ConsoleExporterOptions = {}): Exporter {
  const { checkedOptions, problems } = copyAndCheckOptions(
    'consoleExporter',
    options,
    schema,
    [],
    foreignConsoleOptionNames,
    { 'a string': "consoleExporter({ format: 'json' })" },
  )
  throwIfInvalid(problems)
  const encoding = jsonLines(checkedOptions.layout)
  const methods = consoleMethods()
  let isClosed = false

  function write(batch: EncodedBatch): ExportResult {
    // OpenTelemetry specification: an export after the shutdown should fail.
    if (isClosed) return { status: 'rejected', accepted: 0, reason: 'rejected' }
    let accepted = 0
    for (const { text: line, severity } of batch.records()) {
      const json = line.trimEnd()
      try {
        const returned: unknown = methodFor(
          severity,
          methods,
        )(checkedOptions.format === 'object' ? JSON.parse(json) : json)
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
    encoding,
    schedule: 'sync',
    delivery: pickDeliveryOptions(checkedOptions),
    export: write,
    exportSync: write,
    async shutdown() {
      isClosed = true
    },
  }
}

type ConsoleFunction = (data: unknown) => void
type ConsoleFunctions = Readonly<Record<'debug' | 'info' | 'warn' | 'error', ConsoleFunction>>

/** Returns the methods that the console has now, bound to it. */
function consoleMethods(): ConsoleFunctions {
  const { console } = globalThis
  return {
    debug: console.debug.bind(console),
    info: console.info.bind(console),
    warn: console.warn.bind(console),
    error: console.error.bind(console),
  }
}

/** Severity numbers: INFO starts at 9, WARN at 13 and ERROR at 17. */
function methodFor(severity: number, { debug, info, warn, error }: ConsoleFunctions): ConsoleFunction {
  if (severity < 9) return debug
  if (severity < 13) return info
  return severity < 17 ? warn : error
}
