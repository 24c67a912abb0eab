import { createLogger, fetchExporter } from 'sluice/core'
import { requestLog } from 'sluice/next'

export const runtime = 'edge'

const log = createLogger({ exporter: fetchExporter({ url: process.env.OTLP_URL }), redact: ['card.number'] })

/** An edge route. */
export const GET = requestLog({ logger: log, echoRequestId: true })(async (request) => {
  log.info('{path} asked for', { path: new URL(request.url).pathname, seq: 7, card: { number: 'canary' } })
  return Response.json(await log.flush())
})
