// A Cloudflare Worker that answers with the ledger of core.js.
import './core.js'

export default {
  async fetch(_request, env) {
    return Response.json(await globalThis.logByCore(env.OTLP_URL))
  },
}
