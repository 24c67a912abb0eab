import { composeLogger } from './compose-logger.ts'
import type { LoggerRuntime } from './logger-runtime.ts'
import type { Sink } from './sink.ts'
import { fdExporter } from '../exporters/fd/fd-exporter.ts'
import { writeStderrLine } from '../exporters/stderr.ts'
import type { BoundNames, CheckedLevelOption, LoggerOptions, RootLogger } from '../logger/types.ts'
import { loggerSchema } from './logger-options.ts'
import { createProviderDelivery } from '../otel/provider/provider-delivery.ts'
import { createProviderHandler } from '../otel/provider/provider-handler.ts'
import { Counters } from '../pipeline/counters.ts'
import type { OnDiagnostic } from '../options/configuration-error.ts'
import type { BoundState } from '../record/bound.ts'
import type { Rules } from '../values/record-rules.ts'
import { contextStorage } from '../platform/node/context-storage.ts'
import { readEnvironment } from '../platform/node/env.ts'
import { startLevelSources } from '../platform/node/level-sources.ts'
import { nodePlatform } from '../platform/node/platform.ts'
import { recordChannel } from '../platform/node/record-channel.ts'
import { resourceFrom } from '../platform/node/resource.ts'

/**
 * Creates a root logger.
 *
 * @throws ConfigurationError with every problem of the options. Invalid environment variables do not throw.
 */
export function createLogger<
  A extends object = object,
  L extends string = never,
  S extends string = string,
  C extends object = {},
>(options: LoggerOptions<A, L, CheckedLevelOption<S, NoInfer<L>>, C> = {}): RootLogger<A, L, BoundNames<C>> {
  return composeLogger({ options, runtime: nodeRuntime }) as unknown as RootLogger<A, L, BoundNames<C>>
}

/** The runtime services of a logger on Node. */
export const nodeRuntime: LoggerRuntime = {
  platform: nodePlatform,
  schema: loggerSchema,
  writeLine: writeStderrLine,
  readEnvironment,
  startLevelSources,
  createResource: resourceFrom,
  contextStorage,
  recordChannel,
  createDefaultExporter: ({ fd }) => fdExporter({ fd }),
  wrapDelivery: (delivery) => delivery,
  createProviderSink,
}

function createProviderSink(
  { provider, traceContext = true }: LoggerOptions,
  { scope }: BoundState,
  rules: Rules,
  reportDiagnostic: OnDiagnostic,
): Sink | undefined {
  if (provider === undefined) return undefined
  const counters = new Counters()
  return {
    handler: createProviderHandler({ provider, scope, counters, traceContext, reportDiagnostic }, rules),
    allCounters: [counters],
    delivery: createProviderDelivery(provider, counters),
    captureRecords: undefined,
    targets: undefined,
  }
}
