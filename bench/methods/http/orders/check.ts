import { isDeepStrictEqual } from 'node:util'
import type { Line, RecordShape } from '../../../subjects/subject.ts'
import type { RecordCheck } from '../service.ts'
import { boundOf } from './records.ts'

const twoRecords: RecordShape = { records: 2, hasDuration: true }

/**
 * Checks the records of requests: a request is received before it is completed, and all requests with a response are completed.
 *
 * @param isChild - whether each request has a child logger, whose attributes both records must have
 */
export function createOrdersCheck(
  urls: readonly string[],
  { records, hasDuration }: RecordShape = twoRecords,
  isChild = false,
): RecordCheck {
  const open = new Map(urls.map((url) => [url, 0]))
  /** URLs by the id of the request. */
  const children = new Map<string, string>()
  let completed = 0

  function checkLine({ message, attributes: all }: Line): string | undefined {
    // A record that fastify logs at startup.
    if (typeof message === 'string' && message.startsWith('Server listening at ')) return undefined
    const { reqId, user, ...attributes } = all as Readonly<Record<string, unknown>>
    const url = String(attributes['url'])
    const pending = open.get(url)
    if (pending === undefined) return `no request had the url ${url}`
    const problem = isChild ? problemOfChild(reqId, user, url, message) : problemOfOthers(reqId, user)
    if (problem !== undefined) return problem
    if (message === 'request received' && records === 2) {
      open.set(url, pending + 1)
      return isDeepStrictEqual(attributes, { method: 'GET', url }) ? undefined : unexpected(attributes)
    }
    if (message !== 'request completed') return `the message is ${JSON.stringify(message)}`
    const { ms, ...rest } = attributes
    if (!isDeepStrictEqual(rest, { method: 'GET', url, status: 200 })) return unexpected(attributes)
    if (hasDuration && (typeof ms !== 'number' || !(ms >= 0))) return `the request took ${String(ms)} ms`
    if (records === 2 && pending === 0) return `${url} is completed and was not received`
    if (records === 2) open.set(url, pending - 1)
    completed++
    return undefined
  }

  function problemOfChild(reqId: unknown, user: unknown, url: string, message: unknown): string | undefined {
    const id = String(reqId)
    const due = boundOf(Number(id.slice('req-'.length)))
    if (!isDeepStrictEqual({ reqId, user }, due)) return `the child has ${JSON.stringify({ reqId, user })}`
    const urlOfChild = children.get(id)
    if (message === 'request received') {
      children.set(id, url)
      return urlOfChild === undefined ? undefined : `${id} is received twice`
    }
    children.delete(id)
    return urlOfChild === url ? undefined : `${id} is completed with ${url}, and was received with ${urlOfChild}`
  }

  function finish(answered: number, cutOff: number): string[] {
    const left = [...open.values()].reduce((sum, count) => sum + count, 0)
    const received = completed + left
    const problems: string[] = []
    if (completed < answered) problems.push(`${completed} requests are completed in the log, ${answered} were answered`)
    if (received > answered + cutOff) problems.push(`${received} requests are in the log, ${answered} were answered`)
    return problems
  }

  return { checkLine, finish }
}

const problemOfOthers = (reqId: unknown, user: unknown): string | undefined =>
  reqId === undefined && user === undefined ? undefined : unexpected({ reqId, user })

const unexpected = (attributes: object): string => `the attributes are ${JSON.stringify(attributes)}`
