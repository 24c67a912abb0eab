import { createLogger } from 'sluice'
import { instrumentation } from 'sluice/next'

/** Called once, before the first request. */
export async function register() {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const logger = createLogger({ name: 'next', redact: ['card.number'] })
  globalThis.log = logger
  logger.info('registered')
  globalThis.requests = instrumentation({ logger, trustRequestId: true })
  globalThis.requests.register()
}

/** Called with an error thrown by a page or a route. */
export function onRequestError(error, request, context) {
  globalThis.requests?.onRequestError(error, request, context)
}
