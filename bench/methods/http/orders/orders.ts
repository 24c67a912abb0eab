import type { Log, RecordShape } from '../../../subjects/subject.ts'
import type { RecordCheck, Request, Running, Service } from '../service.ts'
import { createOwnRecordReader } from './own-records.ts'

/** What an order's page contains: small, so that the server and the logger take the time. */
export const order = { id: 4_017, state: 'shipped', items: 3 } as const

export const route = '/orders/:id'

/** Of servers without a router. */
export const isOrder = (path: string | undefined): boolean => path?.startsWith('/orders/') === true

export const urls: readonly string[] = Array.from({ length: 64 }, (_, index) => `/orders/${4_000 + index}`)

/** A small API that returns an order. */
export function ordersService(
  recordsPerRequest: number,
  start: (log: Log | undefined) => Promise<Running>,
  createCheck: (shape: RecordShape | undefined) => RecordCheck,
): Service {
  return {
    requests: urls.map((path): Request => ({ method: 'GET', path })),
    answer: JSON.stringify(order),
    recordsPerRequest,
    start,
    createCheck(shape) {
      const read = createOwnRecordReader()
      const { see, end } = createCheck(shape)
      return { see: (line) => see(read(line)), end }
    },
  }
}
