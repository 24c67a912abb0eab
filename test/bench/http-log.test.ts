import { describe, expect, test } from '@jest/globals'
import { checkLog } from '../../bench/methods/http/check-log.ts'
import { serviceOf, type ServiceName } from '../../bench/methods/http/services.ts'
import { subjects, type SubjectName } from '../../bench/subjects/index.ts'
import type { RecordShape } from '../../bench/subjects/subject.ts'

const time = Date.now()
const timestamp = new Date(time).toISOString()
const pino = (fields: object): string => JSON.stringify({ level: 30, time, ...fields })
const sluice = (message: string, attributes: object): string =>
  JSON.stringify({ timestamp, level: 'info', message, attributes })

/** The counts of a server and its load generator. */
interface Counted {
  readonly records?: number
  readonly answered?: number
  readonly cutOff?: number
}

async function problemsOf(
  service: ServiceName,
  subject: SubjectName,
  lines: readonly string[],
  { records = lines.length, answered = 2, cutOff = 0 }: Counted = {},
  shape?: RecordShape,
): Promise<readonly string[]> {
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
  const check = serviceOf(service).createCheck(shape)
  return checkLog(bytes, await subjects[subject](), check, { records, answered, cutOff })
}

/** Two requests, each with a child logger, whose records are interleaved. */
const ofChildren = [
  { reqId: 'req-0', user: 'user-0', method: 'GET', url: '/orders/4000', msg: 'request received' },
  { reqId: 'req-1', user: 'user-1', method: 'GET', url: '/orders/4001', msg: 'request received' },
  {
    reqId: 'req-0',
    user: 'user-0',
    method: 'GET',
    url: '/orders/4000',
    status: 200,
    ms: 1.5,
    msg: 'request completed',
  },
  { reqId: 'req-1', user: 'user-1', method: 'GET', url: '/orders/4001', status: 200, ms: 0, msg: 'request completed' },
] as const

const change = (index: number, changed: object): string[] =>
  ofChildren.map((fields, at) => pino(at === index ? { ...fields, ...changed } : fields))

const problems = (lines: readonly string[], counted?: Counted) =>
  problemsOf('express-child', 'pino-sync', lines, counted)

describe('the check of servers with a child logger for each request', () => {
  test('the check accepts the two records of each answered request', async () => {
    expect(await problems(ofChildren.map(pino))).toEqual([])
  })

  test.each([
    ['a lost record', ofChildren.slice(0, 3).map(pino), { records: 4 }, '3 lines for 4 records'],
    [
      'a lost record of an answered request',
      ofChildren.slice(0, 3).map(pino),
      {},
      '1 requests are completed in the log',
    ],
    [
      'a request that is in the log and was not answered',
      ofChildren.map(pino),
      { answered: 1 },
      '2 requests are in the',
    ],
    ['a record without the id of its child', change(2, { reqId: undefined }), {}, 'the child has {"user":"user-0"}'],
    [
      'a record with the id of another child',
      change(2, { reqId: 'req-1', user: 'user-1' }),
      {},
      'req-1 is completed with',
    ],
    ['a record with another user', change(3, { user: 'user-7' }), {}, 'the child has'],
    ['a duplicate request', change(1, { reqId: 'req-0', user: 'user-0' }), {}, 'req-0 is received twice'],
    ['another URL', change(0, { url: '/users/1' }), {}, 'no request had the url /users/1'],
    ['another status', change(2, { status: 500 }), {}, 'the attributes are'],
    ['a duration that is not a number', change(2, { ms: null }), {}, 'the request took null ms'],
    ['another message', change(2, { msg: 'request done' }), {}, 'the message is "request done"'],
    ['another level', change(2, { level: 40 }), {}, 'the level is 40'],
    ['an old time', change(2, { time: 1 }), {}, 'the time is 1'],
    ['a split line', ['{"level":30', ...ofChildren.slice(1).map(pino)], {}, 'cannot be read: {"level":30'],
  ])('the check of child loggers rejects %s', async (_name, lines, counted, due) => {
    expect(await problems(lines, counted)).toContainEqual(expect.stringContaining(due))
  })
})

describe('the check of the logger in fastify', () => {
  const received = { reqId: 'req-1', req: { method: 'GET', url: '/orders/4000', host: 'a', remotePort: 1 } }
  const completed = { reqId: 'req-1', res: { statusCode: 200 }, responseTime: 0.4 }

  test.each([
    [
      'pino-sync',
      [
        pino({ msg: 'Server listening at http://127.0.0.1:1' }),
        pino({ ...received, msg: 'incoming request' }),
        pino({ ...completed, msg: 'request completed' }),
      ],
    ],
    [
      'sluice-default',
      [
        sluice('Server listening at http://127.0.0.1:1', {}),
        sluice('incoming request', received),
        sluice('request completed', completed),
      ],
    ],
  ] as const)(
    'the check finds the method and URL of the last record of %s by the request id',
    async (subject, lines) => {
      expect(await problemsOf('fastify-child', subject, lines, { answered: 1 })).toEqual([])
      const [listening, first, last] = lines
      const lost = await problemsOf('fastify-child', subject, [listening, last], { answered: 1 })
      expect(lost).toContainEqual(expect.stringContaining('no request had the url undefined'))
      const unanswered = await problemsOf('fastify-child', subject, [listening, first], { answered: 1 })
      expect(unanswered).toEqual(['0 requests are completed in the log, 1 were answered'])
    },
  )
})

const ofSluice = (id: string | undefined, url: string) =>
  sluice('request completed', {
    'request.id': id,
    'http.request.method': 'GET',
    'url.path': url,
    'http.response.status_code': 200,
    'http.server.request.duration': 0.001,
  })

describe('the check of request loggers', () => {
  const one: RecordShape = { records: 1, hasDuration: true }
  const clf = new Date(time).toUTCString().replace(/^\w+, (\d+) (\w+) (\d+) (\S+) GMT$/, '$1/$2/$3:$4 +0000')
  const cases = [
    ['sluice-http', 'express-request-log', [ofSluice('a', '/orders/4000'), ofSluice('b', '/orders/4000')], one],
    [
      'pino-http',
      'express-request-log',
      [1, 2].map((id) =>
        pino({
          req: { id, method: 'GET', url: '/orders/4000', headers: {} },
          res: { statusCode: 200, headers: {} },
          responseTime: id,
          msg: 'request completed',
        }),
      ),
      one,
    ],
    [
      'morgan',
      'express-request-log',
      ['/orders/4000', '/orders/4001'].map((url) => `127.0.0.1 - - [${clf}] "GET ${url} HTTP/1.1" 200 43 "-" "-"`),
      { records: 1, hasDuration: false },
    ],
    [
      'hono-logger',
      'hono-request-log',
      [
        '<-- GET /orders/4000',
        '<-- GET /orders/4001',
        '--> GET /orders/4001 \u001b[32m200\u001b[0m 1ms',
        '--> GET /orders/4000 200 0ms',
      ],
      { records: 2, hasDuration: true },
    ],
  ] as const

  test.each(cases)('the check of request loggers accepts the records of %s', async (subject, service, lines, shape) => {
    expect(await problemsOf(service, subject, lines, {}, shape)).toEqual([])
  })

  test.each(cases)(
    'the check of request loggers rejects a log of %s with a missing record',
    async (subject, service, lines, shape) => {
      const lost = await problemsOf(service, subject, lines.slice(0, -1), {}, shape)
      expect(lost).toEqual(['1 requests are completed in the log, 2 were answered'])
    },
  )

  test.each(cases)(
    'the check of request loggers rejects a log of %s with an extra request',
    async (subject, service, lines, shape) => {
      const [problem] = await problemsOf(service, subject, lines, { answered: 1 }, shape)
      expect(problem).toBe('2 requests are in the log, 1 were answered')
    },
  )

  test('the check of request loggers rejects a missing duration if the logger measures it', async () => {
    const [problem] = await problemsOf('express-request-log', 'morgan', cases[2][2], {}, one)
    expect(problem).toBe('line 1: the request took undefined ms')
  })

  test('the check of request loggers rejects a record of requestLog without a request id', async () => {
    const [problem] = await problemsOf(
      'express-request-log',
      'sluice-http',
      [ofSluice(undefined, '/orders/4000')],
      {},
      one,
    )
    expect(problem).toMatch(/^line 1: /)
  })
})
