export const dynamic = 'force-dynamic'

/** A route that throws. */
export async function GET() {
  await Promise.resolve()
  throw new RangeError('no such order')
}
