import { createLogger, fetchExporter } from 'sluice/core'

export const runtime = 'edge'

/** A route of the edge. */
export async function GET(request) {
  const log = createLogger({ exporter: fetchExporter({ url: process.env.OTLP_URL }), redact: ['card.number'] })
  log.info('{path} asked for', { path: new URL(request.url).pathname, seq: 7, card: { number: 'canary' } })
  return Response.json(await log.shutdown())
}
