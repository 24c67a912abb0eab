import type { Line } from '../../../subjects/subject.ts'

interface Requested {
  readonly method?: unknown
  readonly url?: unknown
}

interface OwnAttributes {
  readonly req?: Requested
  readonly reqId?: unknown
  readonly res?: { readonly statusCode?: unknown; readonly status?: unknown }
  readonly responseTime?: unknown
}

/**
 * Converts the records of fastify, pino-http and hono-pino to those that the check expects. The last record of fastify
 * has the request id instead of its URL.
 */
export function createOwnRecordReader(): (line: Line) => Line {
  const open = new Map<string, Requested>()
  return (line) => {
    const { req, reqId, res, responseTime: ms } = line.attributes as OwnAttributes
    if (req === undefined && res === undefined) return line
    const id = String(reqId)
    const { method, url } = req ?? open.get(id) ?? {}
    if (res === undefined) {
      open.set(id, { method, url })
      return { ...line, message: 'request received', attributes: { method, url } }
    }
    open.delete(id)
    const status = res.statusCode ?? res.status
    return { ...line, message: 'request completed', attributes: { method, url, status, ms } }
  }
}
