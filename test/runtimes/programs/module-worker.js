// A Cloudflare Worker with one logger to the console.
import { createLogger } from 'sluice/core'

const log = createLogger()
log.info('loaded')

export default {
  async fetch(request) {
    log.info('{method} {path}', { method: request.method, path: new URL(request.url).pathname })
    return new Response('ok')
  },
}
