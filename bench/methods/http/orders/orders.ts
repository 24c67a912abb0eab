import type { Log } from '../../../subjects/subject.ts'
import type { Request, Running, Service } from '../service.ts'
import { createOrdersCheck } from './check.ts'

/** What an order's page says: small, so that the server and the logger are what takes time. */
export const order = { id: 4_017, state: 'shipped', items: 3 } as const

export const route = '/orders/:id'

export const urls: readonly string[] = Array.from({ length: 64 }, (_, index) => `/orders/${4_000 + index}`)

/** A small API that logs a record when a request has come and one when it has been answered. */
export function ordersService(start: (log: Log | undefined) => Promise<Running>): Service {
  return {
    requests: urls.map((path): Request => ({ method: 'GET', path })),
    answer: JSON.stringify(order),
    recordsPerRequest: 2,
    start,
    createCheck: () => createOrdersCheck(urls),
  }
}
