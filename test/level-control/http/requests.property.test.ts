import { afterEach, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { levelControl } from '../../../src/level-control/level-control.ts'
import { levelsHandler } from '../../../src/level-control/http/levels-handler.ts'
import { maxMillis } from '../../../src/level-control/http/level-change-request.ts'
import { seed } from '../../support/seed.ts'
import { runs } from '../../support/runs.ts'

const token = 'correct-horse-battery-staple'
const levels = levelsHandler({ token: [{ token, label: 'on-call' }] })

/** The statuses that the documentation lists. */
const statuses = [200, 400, 401, 404, 405, 409, 413, 415]

afterEach(() => send({ method: 'DELETE', query: '', type: undefined, body: undefined, sent: token }))

interface Sent {
  readonly method: string
  readonly query: string
  readonly type: string | undefined
  readonly body: string | undefined
  readonly sent: string
}

/** Passes a request to the handler. */
async function send({ method, query, type, body, sent }: Sent): Promise<Response> {
  const fields = new Map([
    ['authorization', `Bearer ${sent}`],
    ...(type === undefined ? [] : [['content-type', type] as const]),
  ])
  const headers = { get: (name: string) => fields.get(name) ?? null }
  const stream = body === undefined ? null : new Blob([body]).stream()
  return levels({ method, url: `http://here/levels${query}`, headers, body: stream })
}

const directives = fc.oneof(
  fc.string(),
  fc.constantFrom('db.*=debug', 'info,http=warn', '[tenant=acme]=trace', 'db[a="b"]=debug', 'db=loud', '*=silent', '"'),
)
const member = fc.constantFrom('directives', 'forMillis', 'forever', '__proto__', 'constructor', 'toString', 'x')
const value = fc.oneof(directives, fc.integer(), fc.double(), fc.boolean(), fc.constant(null), fc.constant([]))
const request: fc.Arbitrary<Sent> = fc.record({
  method: fc.constantFrom('GET', 'HEAD', 'PUT', 'PUT', 'PUT', 'PUT', 'DELETE', 'POST', '', 'put'),
  query: fc.oneof(
    fc.constantFrom(
      '',
      '?',
      '?for=10m',
      '?for=99d',
      '?forever',
      '?forever=true',
      '?for=1m&for=2m',
      '?id=',
      '?id=00000000',
    ),
    fc.string().map((text) => `?${text}`),
    fc.string().map((text) => `?for=${encodeURIComponent(text)}`),
  ),
  type: fc.constantFrom(undefined, 'application/json', 'text/plain', 'text/plain; charset=UTF-8', 'text/html', ';'),
  body: fc.oneof(
    fc.constant(undefined),
    directives,
    fc.json(),
    fc.array(fc.tuple(member, value)).map((members) => JSON.stringify(Object.fromEntries(members))),
    fc.string({ minLength: 4_000, maxLength: 5_000 }),
  ),
  sent: fc.oneof({ weight: 9, arbitrary: fc.constant(token) }, { weight: 1, arbitrary: fc.string() }),
})

test('any request is answered with a documented status and JSON without the token, and sets valid layers only', async () => {
  const seen = new Set<number>()
  await fc.assert(
    fc.asyncProperty(request, async (sent) => {
      const response = await send(sent)
      const text = await response.text()
      seen.add(response.status)
      expect(statuses).toContain(response.status)
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(text).not.toContain(token)
      const body: unknown = text === '' ? undefined : JSON.parse(text)
      expect(sent.method === 'HEAD' ? body : typeof body).toBe(sent.method === 'HEAD' ? undefined : 'object')
      expect(response.status === 401 && sent.sent === token).toBe(false)
      for (const { source, remainingMillis = 0, by } of levelControl().describe().layers) {
        expect([source, by, remainingMillis <= maxMillis]).toEqual(['http', 'on-call', true])
      }
    }),
    { numRuns: 1_000 * runs, seed },
  )
  // The inputs reach the successful requests and each kind of error.
  expect([...seen]).toEqual(expect.arrayContaining([200, 400, 401, 404, 405, 413, 415]))
})
