import type { Encoding } from '../encode/encoding.ts'
import { jsonLines } from '../encode/json/json-lines.ts'
import type { LayoutName } from '../encode/json/layout-bases.ts'
import { layoutCheck, type Layout } from '../encode/json/layout.ts'
import { otlpJsonLines } from '../encode/otlp/otlp-json.ts'
import { prettyEncoding } from '../encode/pretty/pretty.ts'
import { nestedPrettyOptions, prettySchema, type PrettyOptions } from '../encode/pretty/settings.ts'
import type { OutputDevice } from '../encode/pretty/terminal-record.ts'
import { readEnvironment, type EnvironmentSettings } from '../platform/node/env.ts'
import { plainDevice, usesColor } from '../platform/node/terminal.ts'
import type { Delivery, Exporter } from '../pipeline/exporter.ts'
import { choice, options as nested, type OptionSchema } from '../options/option-checks.ts'
import { foreignFormatWords } from '../options/foreign-values.ts'
import { withoutPrototype } from '../options/own-members.ts'
import { deliverySchema } from './exporter-options.ts'

/** Options of the exporters that write lines. */
export interface LineExporterOptions extends Delivery {
  /**
   * The format of a record. `auto` uses the environment variable SLUICE_FORMAT (`json`, `pretty` or `otlpJson`) if it is set;
   * otherwise `pretty` on a terminal unless NODE_ENV is `production`, else `json`. `otlpJson` is the format of the
   * OpenTelemetry File Exporter: each line is a complete `{"resourceLogs":[…]}` that the Collector's `otlpjsonfile` receiver
   * reads. The output of `pretty` may change in any release, so programs should read another format.
   *
   * @defaultValue `auto`
   */
  readonly format?: 'auto' | 'json' | 'pretty' | 'otlpJson'
  /**
   * The names and order of the fields in a JSON line. The other formats have no layout.
   *
   * @defaultValue the environment variable SLUICE_LAYOUT, otherwise `sluice`
   */
  readonly layout?: LayoutName | Layout
  /**
   * Options of the format `pretty`. They have no effect on the other formats, so they can be set for a logger that writes JSON in
   * production.
   *
   * @defaultValue the defaults of `PrettyOptions`
   */
  readonly pretty?: PrettyOptions
}

/** The checks of `LineExporterOptions`. */
export const lineExporterSchema: OptionSchema = {
  ...deliverySchema,
  format: choice(['auto', 'json', 'pretty', 'otlpJson'], foreignFormatWords),
  layout: layoutCheck,
  pretty: nested(prettySchema),
}

/** The names of the options, at any depth, whose values are objects that are copied with the options. */
export const nestedLineOptions: readonly string[] = ['pretty', ...nestedPrettyOptions]

/**
 * Returns the encoding selected by the options, the environment and the destination. An invalid environment variable counts as unset.
 *
 * @param terminal - The terminal to which the lines are written; undefined for any other destination.
 * @throws ConfigurationError if the layout is used and invalid.
 */
export function lineEncoding(
  options: LineExporterOptions,
  terminal: OutputDevice | undefined,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Encoding {
  // Problems in the environment are reported when the logger is created.
  const settings = readEnvironment(undefined, [], environment)
  const format = formatFor(options.format, terminal !== undefined, settings)
  if (format === 'pretty') {
    const colors = options.pretty?.colors ?? usesColor(terminal !== undefined, environment)
    return prettyEncoding(withoutPrototype({ ...options.pretty, colors }), terminal ?? plainDevice())
  }
  if (format === 'otlpJson') return otlpJsonLines()
  return jsonLines(options.layout ?? settings.layout)
}

/**
 * Returns when the pipeline exports batches, according to the options. Returns undefined without `write` if `scheduledDelayMillis` is
 * missing or 0, so that the logger's profile decides.
 */
export function scheduleOf(write: 'turn' | 'microtask' | 'sync' | undefined, options: Delivery): Exporter['schedule'] {
  if (write !== undefined) return write
  const delayMillis = options.scheduledDelayMillis ?? 0
  return delayMillis > 0 ? { delayMillis } : undefined
}

function formatFor(
  formatOption: LineExporterOptions['format'],
  isTerminal: boolean,
  { format, isProduction }: EnvironmentSettings,
): 'json' | 'pretty' | 'otlpJson' {
  for (const name of [formatOption, format]) if (name !== undefined && name !== 'auto') return name
  return isTerminal && !isProduction ? 'pretty' : 'json'
}
