import { composeLogger } from './compose-logger.ts'
import type { LoggerRuntime } from './logger-runtime.ts'
import type { LoggerDelivery } from '../lifecycle/logger-delivery.ts'
import { resourceOf, sdkAttributes } from '../lifecycle/resource.ts'
import { edgePlatform } from '../platform/edge/platform.ts'
import { consoleExporter } from '../exporters/console/console-exporter.ts'
import type { ContextAttributes } from '../logger/context-attributes.ts'
import type { BoundNames, CheckedLevelOption, LevelName, LoggerOptions, RootLogger } from '../logger/types.ts'
import { loggerSchema } from './logger-options.ts'
import type { Exporter } from '../pipeline/exporter.ts'
import type { OnDiagnostic } from '../options/configuration-error.ts'

/** Options of `createLogger` of `sluice/core`: those that do not require a process, which has an environment and an exit. */
export interface CoreLoggerOptions<
  A extends object = object,
  L extends string = never,
  N extends string = LevelName<NoInfer<L>> | (string & {}),
  C extends object = object,
> extends Omit<
  LoggerOptions<A, L, N, C>,
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
  readonly level?: N
  /**
   * Resource attributes, such as `service.name`.
   *
   * @defaultValue `unknown_service` as `service.name`
   */
  readonly resource?: Readonly<Record<string, string | number | boolean>>
  /**
   * The destination or destinations of records. Each exporter has its own level, layout and delivery statistics.
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
 * Creates a root logger that does not depend on Node: for browsers, workers and edge runtimes. The end of a page or an isolate is not
 * detected: records that an exporter has not sent by then are lost, unless `flush()` is called in time.
 *
 * @throws ConfigurationError with every problem of the options
 */
export function createLogger<
  A extends object = object,
  L extends string = never,
  S extends string = string,
  C extends object = {},
>(options: CoreLoggerOptions<A, L, CheckedLevelOption<S, NoInfer<L>>, C> = {}): RootLogger<A, L, BoundNames<C>> {
  return composeLogger({ options, runtime: edgeRuntime }) as unknown as RootLogger<A, L, BoundNames<C>>
}

/** The key of the context storage that all copies of this package in a process share. */
const contextKey = Symbol.for('sluice/v1/context')
const globals = globalThis as { readonly [contextKey]?: { get(): ContextAttributes | undefined } }

const nodeOnlyOptions = ['handleExit', 'handleSignals', 'exitTimeoutMillis', 'provider', 'profile']

const edgeRuntime: LoggerRuntime = {
  platform: edgePlatform,
  schema: Object.fromEntries(Object.entries(loggerSchema).filter(([name]) => !nodeOnlyOptions.includes(name))),
  writeLine: (line) => console.error(line.trimEnd()),
  readEnvironment: () => ({ level: undefined, lambdaLevel: undefined, profile: undefined }),
  startLevelSources: () => {},
  createResource: (attributes) =>
    resourceOf([...sdkAttributes('webjs'), ...Object.entries(attributes ?? {})], 'unknown_service'),
  // Read for each record, because middleware may create a storage later. This entry point cannot create one itself.
  contextStorage: () => ({ get: () => globals[contextKey]?.get() }),
  recordChannel: undefined,
  createDefaultExporter: () => consoleExporter(),
  wrapDelivery: withFlushOfRemainingRecords,
  createProviderSink: () => undefined,
}

/**
 * Returns a delivery whose `flushSync` also starts an asynchronous flush if records remain in the queue. `fatal` calls `flushSync`. Without
 * the flush, records that can be exported only asynchronously would wait for the rest of their batch.
 */
function withFlushOfRemainingRecords(delivery: LoggerDelivery): LoggerDelivery {
  return {
    ...delivery,
    flushSync(timeoutMillis) {
      const result = delivery.flushSync(timeoutMillis)
      if (result.pending > 0) void delivery.flush(undefined)
      return result
    },
  }
}
