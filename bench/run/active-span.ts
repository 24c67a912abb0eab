import { importRival } from '../subjects/rival.ts'
import type { TraceIds } from '../scenarios/lines.ts'

interface Api {
  readonly ROOT_CONTEXT: object
  readonly context: { setGlobalContextManager(manager: Manager): boolean; with<T>(context: object, run: () => T): T }
  readonly trace: { setSpan(context: object, span: object): object; wrapSpanContext(ids: object): object }
}
interface Manager {
  enable(): Manager
}

/** Runs `action` in an active OpenTelemetry span with the given ids. */
export async function insideSpan<T>(ids: TraceIds | undefined, action: () => Promise<T>): Promise<T> {
  if (ids === undefined) return action()
  const { context, trace, ROOT_CONTEXT } = await importRival<Api>('@opentelemetry/api')
  const { AsyncLocalStorageContextManager } = await importRival<{
    AsyncLocalStorageContextManager: new () => Manager
  }>('@opentelemetry/context-async-hooks')
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  return context.with(trace.setSpan(ROOT_CONTEXT, trace.wrapSpanContext({ ...ids, traceFlags: 1 })), action)
}
