import { isDeepStrictEqual } from 'node:util'
import type { Line } from '../../../subjects/subject.ts'
import type { RecordCheck } from '../service.ts'

/** Which requests have come but not been answered is known by url, and no request may be answered before it has come. */
export function createOrdersCheck(urls: readonly string[]): RecordCheck {
  const open = new Map(urls.map((url) => [url, 0]))
  let completed = 0

  function see({ message, attributes }: Line): string | undefined {
    const said = attributes as Readonly<Record<string, unknown>>
    const url = String(said['url'])
    const waiting = open.get(url)
    if (waiting === undefined) return `no request had the url ${url}`
    if (message === 'request received') {
      open.set(url, waiting + 1)
      return isDeepStrictEqual(said, { method: 'GET', url }) ? undefined : unexpected(said)
    }
    if (message !== 'request completed') return `the message is ${JSON.stringify(message)}`
    const { ms } = said
    if (!isDeepStrictEqual(said, { method: 'GET', url, status: 200, ms })) return unexpected(said)
    if (typeof ms !== 'number' || !(ms >= 0)) return `the request took ${String(ms)} ms`
    if (waiting === 0) return `${url} is completed and was not received`
    open.set(url, waiting - 1)
    completed++
    return undefined
  }

  function end(answered: number, cutOff: number): string[] {
    const left = [...open.values()].reduce((sum, count) => sum + count, 0)
    const received = completed + left
    const problems: string[] = []
    if (completed < answered) problems.push(`${completed} requests are completed in the log, ${answered} were answered`)
    if (received > answered + cutOff) problems.push(`${received} requests are in the log, ${answered} were answered`)
    return problems
  }

  return { see, end }
}

const unexpected = (attributes: object): string => `the attributes are ${JSON.stringify(attributes)}`
