// A Cloudflare Worker that responds with the delivery statistics of core.js.
import './core.js'

export default {
  async fetch(_request, env) {
    return Response.json(await globalThis.logByCore(env.OTLP_URL))
  },
}
