import type { Encoding } from '../encode/encoding.ts'
import { jsonLines } from '../encode/json/json-lines.ts'
import type { LayoutName } from '../encode/json/layout-bases.ts'
import type { Layout } from '../encode/json/layout.ts'
import { otlpJsonLines } from '../encode/otlp/otlp-json.ts'
import { pretty } from '../encode/pretty/pretty.ts'
import { readEnvironment, type EnvironmentSettings } from '../platform/node/env.ts'
import type { Delivery, Exporter } from '../pipeline/exporter.ts'
import { choice, either, object, text, type OptionSchema } from '../options/option-checks.ts'
import { ConfigurationError, type ConfigurationProblem } from '../options/configuration-error.ts'
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
}

/** The checks of `LineExporterOptions`. The encoding checks the contents of a layout. */
export const lineExporterSchema: OptionSchema = {
  ...deliverySchema,
  format: choice(['auto', 'json', 'pretty', 'otlpJson']),
  layout: either('a layout or the name of one', text(), object),
}

/**
 * Returns the encoding selected by the options, the environment and the destination. Problems of a layout are added to
 * `problems`; an invalid environment variable never causes an error.
 */
export function lineEncoding(
  options: LineExporterOptions,
  terminal: boolean,
  problems: ConfigurationProblem[],
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Encoding | undefined {
  // Problems in the environment are reported when the logger is created.
  const settings = readEnvironment(undefined, [], environment)
  const format = formatFor(options.format, terminal, settings)
  if (format === 'pretty') return pretty({ color: colorFor(terminal, environment) })
  if (format === 'otlpJson') return otlpJsonLines()
  try {
    return jsonLines(options.layout ?? settings.layout)
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    problems.push(...error.problems)
    return undefined
  }
}

/**
 * Returns when the pipeline exports batches, according to the options. Returns undefined if no option sets it, so that the
 * logger's profile decides.
 */
export function scheduleOf(write: 'turn' | 'microtask' | 'sync' | undefined, options: Delivery): Exporter['schedule'] {
  if (write !== undefined) return write
  const delayMillis = options.scheduledDelayMillis ?? 0
  return delayMillis > 0 ? { delayMillis } : undefined
}

function formatFor(
  given: LineExporterOptions['format'],
  terminal: boolean,
  { format, production }: EnvironmentSettings,
): 'json' | 'pretty' | 'otlpJson' {
  for (const word of [given, format]) if (word !== undefined && word !== 'auto') return word
  return terminal && !production ? 'pretty' : 'json'
}

/**
 * Returns whether to use color. NO_COLOR takes precedence over FORCE_COLOR (no-color.org: any value but the empty one). Without
 * either, color is used on terminals.
 */
function colorFor(terminal: boolean, environment: Readonly<Record<string, string | undefined>>): boolean {
  const environmentValue = (variable: string) =>
    Object.hasOwn(environment, variable) ? environment[variable] : undefined
  if ((environmentValue('NO_COLOR') ?? '') !== '') return false
  const force = environmentValue('FORCE_COLOR')
  return force === undefined ? terminal : force !== '0' && force !== 'false'
}
