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

/** Options of `createLogger` of `sluice/core`: those that do not require a process, which has an environment and an exit. */
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
  /**
   * The least severe level that is logged.
   *
   * @defaultValue `info`
   */
  readonly level?: LoggerOptions<A, L>['level']
  /** Resource attributes, such as `service.name`. */
  readonly resource?: Readonly<Record<string, string | number | boolean>>
  /**
   * The destination or destinations of records. Each exporter has its own level, layout and delivery statistics. Exporters of the same file or descriptor share a queue.
   *
   * @defaultValue `consoleExporter()`
   */
  readonly exporter?: Exporter | readonly Exporter[]
  /**
   * Called with each diagnostic of this package.
   *
   * @defaultValue one line to `console.error` per code and minute
   */
  readonly onDiagnostic?: OnDiagnostic
}

/**
 * Creates a logger that owns its pipelines and does not depend on Node: for browsers, workers and edge runtimes. The end of a
 * page or an isolate is not detected: records that an exporter has not sent by then are lost, unless `flush()` is called in time.
 *
 * @throws ConfigurationError with every problem of the options
 */
export function createLogger<A extends object = object, L extends string = never>(
  options: CoreLoggerOptions<A, L> = {},
): RootLogger<A, L> {
  return composeLogger(options, edge) as unknown as RootLogger<A, L>
}

const contextKey = Symbol.for('sluice/v1/context')
const shared = globalThis as { readonly [contextKey]?: { get(): ContextAttributes | undefined } }

const nodeOnlyOptions = ['handleExit', 'handleSignals', 'exitTimeoutMillis', 'provider', 'profile']

const edge: LoggerRuntime = {
  platform: edgePlatform,
  schema: Object.fromEntries(Object.entries(loggerSchema).filter(([name]) => !nodeOnlyOptions.includes(name))),
  writeLine: (line) => console.error(line.trimEnd()),
  environment: () => ({ level: undefined, lambdaLevel: undefined, profile: undefined }),
  resource: (given) => resourceOf([...sdkAttributes('webjs'), ...Object.entries(given ?? {})], 'unknown_service'),
  // Middleware may have created a storage; this entry point itself cannot follow call chains.
  contexts: () => ({ get: () => shared[contextKey]?.get() }),
  exporter: () => consoleExporter(),
  delivery: withStartedFlush,
  providerSink: () => undefined,
}

/**
 * Returns a delivery whose `flushSync` also starts a flush if records need the event loop, so that records before `fatal` do not
 * wait for a batch to fill.
 */
function withStartedFlush(delivery: LoggerDelivery): LoggerDelivery {
  return {
    ...delivery,
    flushSync(deadlineMillis) {
      const result = delivery.flushSync(deadlineMillis)
      if (result.pending > 0) void delivery.flush(undefined)
      return result
    },
  }
}
