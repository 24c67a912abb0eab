import type * as otel from '@opentelemetry/api'
import { AsyncLocalStorage } from 'node:async_hooks'

/** Registers a minimal context manager that follows asynchronous code. */
export function useContextManager({ context, ROOT_CONTEXT }: typeof otel): void {
  const storage = new AsyncLocalStorage<otel.Context>()
  const manager: otel.ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (active, fn, self, ...args) => storage.run(active, () => fn.apply(self as never, args)),
    bind: (_, target) => target,
    enable: () => manager,
    disable: () => manager,
  }
  if (!context.setGlobalContextManager(manager)) throw new Error('a context manager is already registered')
}
