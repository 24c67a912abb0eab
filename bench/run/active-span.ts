import { importRival } from '../subjects/rival.ts'
import type { LogSetup } from '../subjects/subject.ts'

interface Api {
  readonly ROOT_CONTEXT: object
  readonly context: { setGlobalContextManager(manager: Manager): boolean; with<T>(context: object, run: () => T): T }
  readonly propagation: {
    createBaggage(entries: Readonly<Record<string, { readonly value: string }>>): object
    setBaggage(context: object, baggage: object): object
  }
  readonly trace: { setSpan(context: object, span: object): object; wrapSpanContext(ids: object): object }
}
interface Manager {
  enable(): Manager
}

/** Runs `action` in an active OpenTelemetry span with the given ids, and with the given entries of baggage. */
export async function insideSpan<T>(
  { trace: ids, baggage = {} }: Pick<LogSetup, 'trace' | 'baggage'>,
  action: () => Promise<T>,
): Promise<T> {
  if (ids === undefined) return action()
  const { context, propagation, trace, ROOT_CONTEXT } = await importRival<Api>('@opentelemetry/api')
  const { AsyncLocalStorageContextManager } = await importRival<{
    AsyncLocalStorageContextManager: new () => Manager
  }>('@opentelemetry/context-async-hooks')
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const entries = Object.entries(baggage).map(([name, value]) => [name, { value }] as const)
  const withBaggage =
    entries.length === 0
      ? ROOT_CONTEXT
      : propagation.setBaggage(ROOT_CONTEXT, propagation.createBaggage(Object.fromEntries(entries)))
  return context.with(trace.setSpan(withBaggage, trace.wrapSpanContext({ ...ids, traceFlags: 1 })), action)
}
