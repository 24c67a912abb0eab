import { composeLogger, type LoggerRuntime } from './compose-logger.ts'
import type { LoggerDelivery } from '../lifecycle/logger-delivery.ts'
import { resourceOf, sdkAttributes } from '../lifecycle/resource.ts'
import { edgePlatform } from '../platform/edge/platform.ts'
import { consoleExporter } from '../exporters/console/console-exporter.ts'
import type { ContextAttributes } from '../logger/bound.ts'
import type { LoggerOptions, RootLogger } from '../logger/types.ts'
import { loggerSchema } from './logger-options.ts'
import type { Exporter } from '../pipeline/exporter.ts'
import type { OnDiagnostic } from '../options/configuration-error.ts'

/** What `createLogger` of `sluice/core` takes: what does without a process, which has an environment and an end. */
export interface CoreLoggerOptions<A extends object = object, L extends string = never> extends Omit<
  LoggerOptions<A, L>,
  | 'handleExit'
  | 'handleSignals'
  | 'exitTimeoutMillis'
  | 'provider'
  | 'profile'
  | 'level'
  | 'resource'
  | 'exporter'
  | 'onDiagnostic'
> {
  /** The least severe level that is logged. Default `info`. */
  readonly level?: LoggerOptions<A, L>['level']
  /** Resource attributes, such as `service.name`. */
  readonly resource?: Readonly<Record<string, string | number | boolean>>
  /** Where records go; each exporter has its own queue, level, layout and ledger. Default `consoleExporter()`. */
  readonly exporter?: Exporter | readonly Exporter[]
  /** Takes this package's own trouble. Default: one line to `console.error` for each code and minute. */
  readonly onDiagnostic?: OnDiagnostic
}

/**
 * Makes a logger that owns its pipelines, without anything of Node: for browsers, workers and the edge. Nobody tells it of
 * the end of a page or an isolate: what an exporter has not sent by then is lost, unless `flush()` was called in time.
 *
 * @throws ConfigurationError with every problem of the options.
 */
export function createLogger<A extends object = object, L extends string = never>(
  options: CoreLoggerOptions<A, L> = {},
): RootLogger<A, L> {
  return composeLogger(options, edge) as unknown as RootLogger<A, L>
}

const contextPlace = Symbol.for('sluice/v1/context')
const shared = globalThis as { readonly [contextPlace]?: { get(): ContextAttributes | undefined } }

const needsNode = ['handleExit', 'handleSignals', 'exitTimeoutMillis', 'provider', 'profile']

const edge: LoggerRuntime = {
  platform: edgePlatform,
  schema: Object.fromEntries(Object.entries(loggerSchema).filter(([name]) => !needsNode.includes(name))),
  writeLine: (line) => console.error(line.trimEnd()),
  environment: () => ({ level: undefined, lambdaLevel: undefined, profile: undefined }),
  resource: (given) => resourceOf([...sdkAttributes('webjs'), ...Object.entries(given ?? {})], 'unknown_service'),
  // Middleware may have made one; by itself this entry has nothing that follows a call chain.
  contexts: () => ({ get: () => shared[contextPlace]?.get() }),
  exporter: () => consoleExporter(),
  delivery: beginning,
  providerSink: () => undefined,
}

/** What cannot be sent without the event loop is begun: after `fatal` nobody waits for a batch to fill. */
function beginning(delivery: LoggerDelivery): LoggerDelivery {
  return {
    ...delivery,
    flushSync(deadlineMillis) {
      const result = delivery.flushSync(deadlineMillis)
      if (result.pending > 0) void delivery.flush(undefined)
      return result
    },
  }
}
