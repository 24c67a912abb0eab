import { list, text } from '../../../options/option-checks.ts'
import { LEVEL, type TransformableInfo } from '../info.ts'
import { checkedTransportOptions } from './checked-transport-options.ts'
import { LineTransport, lineTransportSchema, type LineTransportOptions } from './line-transport.ts'
import { standardStream } from '../../../platform/node/standard-streams.ts'
import { standardExporter } from './standard-exporter.ts'
import { pickDeliveryOptions } from '../../../exporters/exporter-options.ts'

/** Options of `transports.Console`. */
export interface ConsoleTransportOptions extends LineTransportOptions {
  /**
   * Levels that are written to standard error.
   *
   * @defaultValue none
   */
  readonly stderrLevels?: readonly string[]
  /**
   * More levels that are written to standard error, as `console.warn` is.
   *
   * @defaultValue none
   */
  readonly consoleWarnLevels?: readonly string[]
}

const schema = { ...lineTransportSchema, stderrLevels: list(text()), consoleWarnLevels: list(text()) }
const unsupported = {
  forceConsole: 'lines are written to the descriptors 1 and 2; for another console, write a custom transport',
}

/**
 * Writes to standard output, and the configured levels to standard error, by their descriptors. Never blocks on a pipe. While other code
 * has replaced `process.stdout.write` or `process.stderr.write`, that function is called with each line.
 */
export class ConsoleTransport extends LineTransport {
  /** The levels that are written to standard error. */
  private readonly stderrLevels: ReadonlySet<string>

  /** @throws ConfigurationError for invalid options, and for options of winston that are not supported. */
  constructor(given: ConsoleTransportOptions = {}) {
    const options = checkedTransportOptions('Console', given, schema, unsupported)
    const delivery = pickDeliveryOptions(options)
    const stderrLevels = new Set([...(options.stderrLevels ?? []), ...(options.consoleWarnLevels ?? [])])
    const fds = stderrLevels.size === 0 ? ([1] as const) : ([1, 2] as const)
    super(
      { ...options, name: options.name ?? 'console' },
      fds.map((fd) => () => standardExporter(standardStream(fd), { ...delivery, level: undefined })),
    )
    this.stderrLevels = stderrLevels
  }

  /** Returns 1 for levels that are written to standard error, otherwise 0. */
  protected override pipelineOf(info: TransformableInfo): number {
    return this.stderrLevels.has(info[LEVEL] ?? '') ? 1 : 0
  }
}
