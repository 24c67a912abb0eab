import { Resolver } from './encode/resolve.ts'
import { fdExporter } from './export/fd.ts'
import { stderrLine } from './export/stderr.ts'
import { encodingHandler } from './handler/encoding-handler.ts'
import { enrichHandler } from './handler/enrich.ts'
import type { ContextAttributes } from './logger/bound.ts'
import { guardedClock } from './logger/clock.ts'
import type { Family } from './logger/family.ts'
import { Levels } from './logger/levels.ts'
import { rootLogger } from './logger/logger.ts'
import type { LoggerOptions, RootLogger } from './logger/types.ts'
import { checkLoggerOptions } from './logger-options.ts'
import { activeSpanContext } from './otel/span-context.ts'
import { ConfigurationError, type ConfigurationProblem } from './record/problems.ts'
import type { Bound } from './record/record.ts'
import { contextStorage } from './runtime/context-storage.ts'
import { readEnvironment } from './runtime/env.ts'
import { familyDelivery } from './runtime/family-delivery.ts'
import { openOutlets } from './runtime/outlets.ts'
import { problemReporter } from './runtime/problem-reporter.ts'
import { resourceFrom } from './runtime/resource.ts'

/**
 * Makes a logger that owns its pipelines.
 *
 * @throws ConfigurationError with every problem of the options. The environment never makes it throw.
 */
export function createLogger<A extends object = object, L extends string = never>(
  options: LoggerOptions<A, L> = {},
): RootLogger<A, L> {
  const problems: ConfigurationProblem[] = []
  const tell = problemReporter(options?.onProblem, stderrLine)
  const levels = new Levels(options?.levels ?? {})
  const environment = readEnvironment(tell, levels.names)
  const checked = checkLoggerOptions(options as LoggerOptions, levels, environment, problems)
  if (problems.length > 0) throw new ConfigurationError(problems)

  const { rules } = checked
  const own = new Resolver(rules).resolve(options.attributes ?? {})
  const bound: Bound = {
    scope: { name: options.name, version: options.version },
    resource: resourceFrom(options.resource, tell),
    attributes: own.attributes,
    droppedAttributes: own.dropped,
    messagePrefix: options.messagePrefix ?? '',
    rendered: { by: undefined, value: undefined },
  }
  const clock = options.clock === undefined ? Date.now : guardedClock(options.clock)
  const contexts = contextStorage<ContextAttributes>()
  const outlets = openOutlets(options.exporter ?? fdExporter(), { levels, bound, clock, exit: checked.exit, tell })
  const outputs = outlets.map(({ output }) => output)
  const handler = encodingHandler(outputs, rules)
  const family: Family = {
    levels,
    accounts: outputs.map(({ origin }) => origin.account),
    clock,
    activeSpan: options.traceContext === false ? undefined : activeSpanContext,
    context: () => contexts.get(),
    tell,
    ...familyDelivery(outlets, checked.exit.exitTimeoutMillis),
  }
  const enriched = options.enrich === undefined ? handler : enrichHandler(handler, options.enrich)
  return rootLogger(family, enriched, rules, bound, checked.level) as unknown as RootLogger<A, L>
}
