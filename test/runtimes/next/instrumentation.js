import { createLogger } from 'sluice'

/** Called once, before the first request. */
export async function register() {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  globalThis.log = createLogger({ name: 'next', redact: ['card.number'] })
  globalThis.log.info('registered')
}
