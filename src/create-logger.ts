import { redactedResource, redactedScope } from './encode/redacted-source.ts'
import { Resolver } from './encode/resolve.ts'
import { fdExporter } from './export/fd.ts'
import { stderrLine } from './export/stderr.ts'
import { encodingHandler } from './handler/encoding-handler.ts'
import { divert, type Divert } from './handler/diversion.ts'
import { enrichHandler } from './handler/enrich.ts'
import type { Handler } from './handler/handler.ts'
import { traceBasedHandler } from './handler/trace-based.ts'
import type { ContextAttributes } from './logger/bound.ts'
import { guardedClock } from './logger/clock.ts'
import type { Family } from './logger/family.ts'
import { Levels } from './logger/levels.ts'
import { rootLogger } from './logger/logger.ts'
import type { LoggerOptions, RootLogger } from './logger/types.ts'
import { checkLoggerOptions, optionBags } from './logger-options.ts'
import { providerDelivery } from './otel/provider-delivery.ts'
import { providerHandler } from './otel/provider-handler.ts'
import { activeSpanContext, spanContextIn } from './otel/span-context.ts'
import type { OtelContext, OtelLoggerProvider } from './otel/types.ts'
import { Account } from './pipeline/ledger.ts'
import { ownOptions } from './record/own-options.ts'
import { ConfigurationError, type ConfigurationProblem, type OnProblem } from './record/problems.ts'
import { nothingMore, type Bound } from './record/record.ts'
import type { Rules } from './rules/rules.ts'
import { contextStorage } from './runtime/context-storage.ts'
import { readEnvironment } from './runtime/env.ts'
import { familyDelivery, type FamilyDelivery } from './delivery/family-delivery.ts'
import { measure, openOutlets, type OutletSettings } from './delivery/outlets.ts'
import { problemReporter } from './delivery/problem-reporter.ts'
import { nodePlatform } from './runtime/platform.ts'
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
  const own = ownOptions(options, '', problems, optionBags)
  const tell = problemReporter(own?.onProblem, stderrLine, nodePlatform.monotonic)
  const levels = new Levels(own?.levels ?? {})
  const environment = readEnvironment(tell, levels.names)
  const checked = checkLoggerOptions(own as LoggerOptions, levels, environment, problems)
  if (problems.length > 0) throw new ConfigurationError(problems)

  const { rules } = checked
  const said = new Resolver(rules).resolve(own.attributes ?? {})
  const bound: Bound = {
    scope: redactedScope({ ...nothingMore, name: own.name, version: own.version }, rules.redaction.patterns),
    resource: redactedResource(resourceFrom(own.resource, tell), rules.redaction.patterns),
    attributes: said.attributes,
    droppedAttributes: said.dropped,
    messagePrefix: own.messagePrefix ?? '',
    rendered: { by: undefined, value: undefined },
  }
  const clock = own.clock === undefined ? Date.now : guardedClock(own.clock)
  const contexts = contextStorage<ContextAttributes>()
  const end =
    own.provider === undefined
      ? exporterEnd(
          own as LoggerOptions,
          { platform: nodePlatform, levels, bound, clock, exit: checked.exit, tell },
          rules,
        )
      : providerEnd(own.provider, own.traceContext ?? true, bound, rules, tell)
  const family: Family = {
    levels,
    accounts: end.accounts,
    clock,
    activeSpan: own.traceContext === false ? undefined : activeSpanContext,
    spanIn: (context) => spanContextIn(context as OtelContext),
    context: () => contexts.get(),
    tell,
    divert: end.divert,
    ...end.delivery,
  }
  const enriched = own.enrich === undefined ? end.handler : enrichHandler(end.handler, own.enrich)
  const handler = own.traceBased === true ? traceBasedHandler(enriched, end.accounts) : enriched
  return rootLogger(family, handler, rules, bound, checked.level) as unknown as RootLogger<A, L>
}

/** Where a logger's records end. */
interface End {
  readonly handler: Handler
  readonly accounts: readonly Account[]
  readonly delivery: FamilyDelivery
  readonly divert: Divert | undefined
}

function exporterEnd(
  { exporter = fdExporter(), meterProvider }: LoggerOptions,
  settings: OutletSettings,
  rules: Rules,
): End {
  const outlets = openOutlets(exporter, settings)
  const outputs = outlets.map(({ output }) => output)
  return {
    handler: encodingHandler(outputs, rules),
    accounts: outputs.map(({ origin }) => origin.account),
    delivery: familyDelivery(
      nodePlatform,
      outlets,
      settings.exit.exitTimeoutMillis,
      measure(outlets, meterProvider, settings.tell),
    ),
    divert: (sink) => divert(outputs, sink),
  }
}

function providerEnd(
  provider: OtelLoggerProvider | 'global',
  traceContext: boolean,
  { scope }: Bound,
  rules: Rules,
  tell: OnProblem,
): End {
  const account = new Account()
  return {
    handler: providerHandler({ provider, scope, account, traceContext, tell }, rules),
    accounts: [account],
    delivery: providerDelivery(provider, account),
    divert: undefined,
  }
}
