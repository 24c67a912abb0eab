'use client'
import { createLogger } from 'sluice/core'

const log = createLogger({ name: 'page' })

/** A component of the client, which is rendered on the server as well. */
export default function Page() {
  return <button onClick={() => log.info('clicked')}>order</button>
}
