import type { Log, RecordShape } from '../../../subjects/subject.ts'
import type { RecordCheck, Request, Running, Service } from '../service.ts'
import { createOwnRecordReader } from './own-records.ts'

/** The response for an order. It is small, so that the time is that of the server and the logger. */
export const order = { id: 4_017, state: 'shipped', items: 3 } as const

export const route = '/orders/:id'

/** Parses the URL for servers without a router. */
export const isOrder = (path: string | undefined): boolean => path?.startsWith('/orders/') === true

export const urls: readonly string[] = Array.from({ length: 64 }, (_, index) => `/orders/${4_000 + index}`)

/** Creates a small API that returns an order. */
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
      const { checkLine, finish } = createCheck(shape)
      return { checkLine: (line) => checkLine(read(line)), finish }
    },
  }
}
