import { describe, expect, test } from '@jest/globals'
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyServerOptions,
} from 'fastify'
import { currentRequestId, requestLog, type RequestLogOptions } from '../../src/entries/fastify.ts'
import { captureLogs, type CapturedRecord } from '../../src/entries/testing.ts'

interface Seen {
  readonly records: readonly CapturedRecord[]
  /** The IDs that the handler of each request has seen: that of Fastify and that of the async context. */
  readonly ids: readonly (readonly [fastifyId: string, currentId: string | undefined])[]
}

/** Returns the records of two requests to `/a`, to which the handler responds with `request.log` and a logger of the program. */
async function requests(
  given: FastifyServerOptions & { readonly logController?: LogController },
  options: Omit<RequestLogOptions, 'logger'> = {},
  before: (app: FastifyInstance) => void = () => {},
): Promise<Seen> {
  using logs = captureLogs({ level: 'info' })
  const ids: [string, string | undefined][] = []
  const loggerInstance: FastifyBaseLogger = logs.logger
  const app = fastify({ loggerInstance, ...given })
  before(app)
  // Not awaited, so the route is declared before the plugin runs.
  app.register(requestLog({ ...options, logger: logs.logger }))
  app.addHook('onResponse', async ({ log }) => log.info('sent'))
  app.get('/a', async ({ id, log }) => {
    ids.push([id, currentRequestId()])
    log.info('by request.log')
    logs.logger.info('by the logger')
    return ''
  })
  await app.inject({ path: '/a', headers: { 'x-request-id': 'r-1', 'x-other-id': 'o-1' } })
  await app.inject({ path: '/a', headers: { 'x-request-id': 'r-2', 'x-other-id': 'o 2' } })
  await app.close()
  return { records: logs.records, ids }
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/
const idsOf = (records: readonly CapturedRecord[]): unknown[] => [
  ...new Set(records.map(({ attributes }) => attributes['request.id'])),
]
const quiet = (): { readonly logController: LogController } => ({
  logController: new LogController({ disableRequestLogging: true }),
})

describe('the ID of a request in a Fastify application', () => {
  test('is the same in `request.id`, `request.log`, the logger and the request log, under one name', async () => {
    const { records, ids } = await requests(quiet())
    expect(records).toHaveLength(8)
    expect(records.filter(({ attributes }) => 'reqId' in attributes)).toEqual([])
    expect(ids[0]![0]).toMatch(uuid)
    expect(ids.map(([id, current]) => id === current)).toEqual([true, true])
    expect(idsOf(records)).toEqual(ids.map(([id]) => id))
  })

  test("is also that of Fastify's own request records", async () => {
    const { records, ids } = await requests({})
    expect(records.map(({ message }) => message)).toEqual(
      expect.arrayContaining(['incoming request', 'request completed']),
    )
    expect(records.filter(({ attributes }) => 'reqId' in attributes)).toEqual([])
    expect(idsOf(records)).toEqual(ids.map(([id]) => id))
  })

  test('is the trusted one of the request', async () => {
    const { records, ids } = await requests(quiet(), { trustRequestId: true })
    expect(ids.map(([id]) => id)).toEqual(['r-1', 'r-2'])
    expect(idsOf(records)).toEqual(['r-1', 'r-2'])
  })

  test("is that of the program's `genReqId`", async () => {
    let count = 0
    const { records, ids } = await requests({ ...quiet(), genReqId: () => `own-${++count}` })
    expect(ids).toEqual([
      ['own-1', 'own-1'],
      ['own-2', 'own-2'],
    ])
    expect(idsOf(records)).toEqual(['own-1', 'own-2'])
  })

  test("is that of the program's `genReqId`, also if it has the form of Fastify's default", async () => {
    let count = 0
    const { records, ids } = await requests({ ...quiet(), genReqId: () => `req-${++count}` })
    expect(ids).toEqual([
      ['req-1', 'req-1'],
      ['req-2', 'req-2'],
    ])
    expect(idsOf(records)).toEqual(['req-1', 'req-2'])
  })

  test('is that of a generator that the program sets with `setGenReqId`', async () => {
    const { ids } = await requests(quiet(), {}, (app) => void app.setGenReqId(() => 'req-own'))
    expect(ids[0]).toEqual(['req-own', 'req-own'])
  })

  test("is Fastify's with `requestIdHeader`, with or without the header", async () => {
    const header = await requests({ ...quiet(), requestIdHeader: 'x-request-id' })
    expect(header.ids[0]).toEqual(['r-1', 'r-1'])
    const noHeader = await requests({ ...quiet(), requestIdHeader: 'x-missing-id' })
    expect(noHeader.ids[0]).toEqual(['req-1', 'req-1'])
    expect(idsOf(noHeader.records)).toEqual(['req-1', 'req-2'])
  })

  test('is not the counter of a Fastify whose generator cannot be replaced', async () => {
    const { ids } = await requests(quiet(), {}, (app) => Object.assign(app, { setGenReqId: undefined }))
    expect(ids[0]![0]).toBe('req-1')
    expect(ids[0]![1]).toMatch(uuid)
  })

  test('is not one from a header of `requestIdHeader` that has an invalid form', async () => {
    const { ids } = await requests({ ...quiet(), requestIdHeader: 'x-other-id' })
    expect(ids[0]).toEqual(['o-1', 'o-1'])
    expect(ids[1]![1]).toMatch(uuid)
  })

  test('is added under the name of `requestIdLogLabel` too, if the program has set one', async () => {
    const logController = new LogController({ disableRequestLogging: true, requestIdLogLabel: 'trace' })
    const { records, ids } = await requests({ logController })
    const own = records.find(({ message }) => message === 'by request.log')
    expect(own!.attributes).toMatchObject({ trace: ids[0]![0], 'request.id': ids[0]![0] })
  })

  test('reports an error of `generateRequestId` in the request record', async () => {
    const { records } = await requests(quiet(), {
      generateRequestId() {
        throw new Error('no ID')
      },
    })
    expect(records.some(({ attributes }) => attributes['request_log.generateRequestId'] === '[Threw: no ID]')).toBe(
      true,
    )
  })

  test('is under the name of Fastify for a logger of another library', async () => {
    const lines: string[] = []
    await requests({
      ...quiet(),
      loggerInstance: undefined,
      logger: { stream: { write: (line) => void lines.push(line) } },
    })
    const [line] = lines.filter((text) => text.includes('by request.log')).map((text) => JSON.parse(text) as object)
    expect(line).toMatchObject({ reqId: expect.stringMatching(uuid) })
  })
})
