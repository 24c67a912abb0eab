import { withContext } from 'sluice'

export const dynamic = 'force-dynamic'

/** A Node route. */
export async function GET(request) {
  const seq = Number(new URL(request.url).searchParams.get('seq'))
  return withContext({ tenant: 'acme' }, async () => {
    await Promise.resolve()
    globalThis.log.info('order {seq} placed', { seq, card: { number: 'canary' } })
    return Response.json(globalThis.log.stats())
  })
}
