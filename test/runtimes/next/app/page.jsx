'use client'
import { createLogger } from 'sluice/core'

const log = createLogger({ name: 'page' })

/** A client component, which is also rendered on the server. */
export default function Page() {
  return <button onClick={() => log.info('clicked')}>order</button>
}
