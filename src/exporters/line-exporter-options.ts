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
   * How a record looks. `auto` (default): for people on a terminal unless NODE_ENV is `production`, else JSON lines;
   * the environment's SLUICE_FORMAT, `json`, `pretty` or `otlpJson`, decides before that. `otlpJson` is the OpenTelemetry
   * File Exporter's: each line a whole `{"resourceLogs":[…]}` that a Collector's `otlpjsonfile` receiver reads (FIL1).
   * The form of `pretty` may change in any release: programs should read another format.
   */
  readonly format?: 'auto' | 'json' | 'pretty' | 'otlpJson'
  /** The names and order of a JSON line's fields; the other formats have none. Default: the environment's SLUICE_LAYOUT, else `sluice`. */
  readonly layout?: LayoutName | Layout
}

/** The checks of `Written`'s options; a layout's own data is checked by the encoding. */
export const lineExporterSchema: OptionSchema = {
  ...deliverySchema,
  format: choice(['auto', 'json', 'pretty', 'otlpJson']),
  layout: either('a layout or the name of one', text(), object),
}

/**
 * The encoding that the options, the environment and the destination ask for. Wrong layouts are added to `problems`; a
 * wrong environment variable never throws.
 */
export function lineEncoding(
  options: LineExporterOptions,
  terminal: boolean,
  problems: ConfigurationProblem[],
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Encoding | undefined {
  // What is wrong in the environment is told by whoever makes the logger.
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

/** When the pipeline hands over batches, from the options that say so; undefined where none does, for the logger's profile. */
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

/** NO_COLOR beats FORCE_COLOR (no-color.org: any value but the empty one); without either, color is for terminals. */
function colorFor(terminal: boolean, environment: Readonly<Record<string, string | undefined>>): boolean {
  const said = (variable: string) => (Object.hasOwn(environment, variable) ? environment[variable] : undefined)
  if ((said('NO_COLOR') ?? '') !== '') return false
  const force = said('FORCE_COLOR')
  return force === undefined ? terminal : force !== '0' && force !== 'false'
}
