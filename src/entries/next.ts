export {
  instrumentation,
  requestLog,
  type NextErrorContext,
  type NextErrorRequest,
  type NextInstrumentation,
} from '../http/adapters/next.ts'
export type { FetchRequestLog } from '../http/fetch-handler.ts'
export type { FetchRequest } from '../http/fetch-request.ts'
export type { RequestLogOptions } from '../http/options.ts'
export type { RequestLogStats } from '../http/counts.ts'
export type { CompletedRequest, HttpRequest, HttpResponse } from '../http/exchange.ts'
export { currentRequest, currentRequestId, type CurrentRequest } from '../http/current-request.ts'
export type { RequestSelection } from '../http/request-test.ts'
