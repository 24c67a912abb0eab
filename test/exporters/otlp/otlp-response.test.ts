import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import protobuf from 'protobufjs'
import { partialSuccessOf, statusMessageOf } from '../../../src/exporters/otlp/response-body.ts'
import type { HttpResponse } from '../../../src/exporters/otlp/request-result.ts'
import { headerSecrets, urlSecrets } from '../../../src/exporters/otlp/mask.ts'
import { outcomeOf, parseRetryAfter } from '../../../src/exporters/otlp/response.ts'

const { root } = protobuf.parse(`
  syntax = "proto3";
  message ExportLogsServiceResponse { ExportLogsPartialSuccess partial_success = 1; }
  message ExportLogsPartialSuccess { int64 rejected_log_records = 1; string error_message = 2; }
  message Status { int32 code = 1; string message = 2; repeated Any details = 3; }
  message Any { string type_url = 1; bytes value = 2; }
`)

function encoded(type: string, message: object): Uint8Array {
  const found = root.lookupType(type)
  return found.encode(found.fromObject(message)).finish()
}

const now = Date.UTC(2026, 10, 21, 9, 56, 3)
const answered = (parts: Partial<HttpResponse>): HttpResponse => ({
  status: 200,
  retryAfter: undefined,
  contentType: 'application/json',
  body: Buffer.alloc(0),
  bodyProblem: undefined,
  ...parts,
})
const sent = { contentType: 'application/x-protobuf', records: 10, secrets: [] as string[] }
const unanswered = (why: string) => outcomeOf({ status: undefined, why, mayHaveArrived: true }, sent, now)
const reported = (status: number, message: string, secrets: string[] = []) =>
  outcomeOf(answered({ status, body: Buffer.from(JSON.stringify({ message })) }), { ...sent, secrets }, now).message
const outcome = (parts: Partial<HttpResponse>) => outcomeOf(answered(parts), sent, now)

describe('status codes', () => {
  // Requirements: OTL8
  test.each([429, 502, 503, 504])('a request is retryable after the status code %i', (status) => {
    expect(outcome({ status })).toEqual({ kind: 'later', message: `responded with status ${status}` })
  })

  // Requirements: OTL8
  // Fault rows: 38
  test('the status 0 of an opaque redirect in browsers is final', () => {
    expect(outcome({ status: 0 })).toEqual({
      kind: 'rejected',
      message: 'responded with a redirect, which is not followed',
    })
  })

  // Requirements: OTL8
  // Fault rows: 38
  test.each([300, 301, 302, 307, 308, 400, 401, 403, 408, 422, 451, 500, 501, 505, 599])(
    'the status code %i is final',
    (status) => {
      expect(outcome({ status, retryAfter: '5' })).toEqual({
        kind: 'rejected',
        message: `responded with status ${status}`,
      })
    },
  )

  test.each([404, 405])('the message about the status code %i names the usual path', (status) => {
    expect(outcome({ status })).toEqual({
      kind: 'rejected',
      message: `responded with status ${status}; check the path of the URL, which is usually /v1/logs`,
    })
  })

  test.each([200, 202, 204])('the status code %i is a success', (status) => {
    expect(outcome({ status })).toEqual({ kind: 'accepted', rejected: 0 })
  })

  test('the status code 413 means that the request is too large', () => {
    expect(outcome({ status: 413 })).toMatchObject({ kind: 'too large' })
  })

  // Requirements: OTL7
  test.each([200, 429, 500])('the status code %i with a response over the size limit is final', (status) => {
    expect(outcome({ status, body: undefined, bodyProblem: 'too large' })).toMatchObject({ kind: 'rejected' })
  })
})

// Requirements: OTL9
// Fault rows: 38
describe('Retry-After', () => {
  test.each([
    ['0', 0],
    ['2', 2_000],
    ['60', 60_000],
    ['99999999999', 99_999_999_999_000],
    ['Sat, 21 Nov 2026 09:56:05 GMT', 2_000],
    ['Saturday, 21-Nov-26 09:56:05 GMT', 2_000],
    ['Sat Nov 21 09:56:05 2026', 2_000],
    ['Sat, 21 Nov 2020 09:56:05 GMT', 0],
    ['', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['5 apples', undefined],
    ['2026-11-21', undefined],
    ['Saturday', undefined],
  ])('Retry-After %j is parsed as %p ms', (value, millis) => {
    expect(parseRetryAfter(value, now)).toBe(millis)
    const expected = millis === undefined ? {} : { retryAfterMillis: millis }
    expect(outcome({ status: 503, retryAfter: value })).toEqual({
      kind: 'later',
      message: 'responded with status 503',
      ...expected,
    })
  })
})

// Requirements: OTL11
// Fault rows: 39
describe('partial success', () => {
  test.each([
    ['{}', 0, undefined],
    ['{"partialSuccess":{}}', 0, undefined],
    ['{"partialSuccess":null}', 0, undefined],
    ['{"partialSuccess":{"rejectedLogRecords":"3","errorMessage":"too old"}}', 3, 'rejected 3 records (too old)'],
    ['{"partialSuccess":{"rejectedLogRecords":3}}', 3, 'rejected 3 records'],
    ['{"partialSuccess":{"rejectedLogRecords":"11"}}', 10, 'rejected 10 records'],
    ['{"partialSuccess":{"rejectedLogRecords":"9223372036854775807"}}', 10, 'rejected 10 records'],
    ['{"partialSuccess":{"rejectedLogRecords":1.5}}', 2, 'rejected 2 records'],
    ['{"partialSuccess":{"errorMessage":"use gzip"}}', 0, 'returned a warning (use gzip)'],
  ])('the response body %s is parsed', (body, rejected, message) => {
    expect(outcome({ body: Buffer.from(body) })).toEqual({
      kind: 'accepted',
      rejected,
      ...(message === undefined ? {} : { message }),
    })
  })

  test.each([
    'no JSON',
    '[',
    '7',
    'null',
    '{"partialSuccess":{"rejectedLogRecords":"many"}}',
    '{"partialSuccess":{"rejectedLogRecords":-4}}',
  ])('records count as accepted when the response body %s cannot be parsed, which is reported', (body) => {
    expect(outcome({ body: Buffer.from(body) })).toEqual({
      kind: 'accepted',
      rejected: 0,
      message: 'responded with status 200 and an unreadable body, so some records may have been rejected',
    })
  })

  test('JSON and protobuf responses are parsed to the same result', () => {
    const message = fc.record({ rejectedLogRecords: fc.nat(), errorMessage: fc.string({ unit: 'grapheme' }) })
    fc.assert(
      fc.property(message, (partialSuccess) => {
        const expected = { rejected: partialSuccess.rejectedLogRecords, message: partialSuccess.errorMessage }
        const bytes = encoded('ExportLogsServiceResponse', { partialSuccess })
        expect(partialSuccessOf(bytes, false)).toEqual(expected)
        expect(partialSuccessOf(Buffer.from(JSON.stringify({ partialSuccess })), true)).toEqual(expected)
      }),
    )
  })

  test('a successful response with arbitrary bytes counts as accepted', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (body) => {
        const { kind } = outcome({ contentType: 'application/x-protobuf', body })
        expect(kind).toBe('accepted')
        expect(typeof statusMessageOf(body, false)).toBe('string')
      }),
      { numRuns: 2_000 },
    )
  })

  test('a response is parsed by its content type, or by that of the request if it has none', () => {
    const bytes = encoded('ExportLogsServiceResponse', { partialSuccess: { rejectedLogRecords: 2 } })
    expect(outcome({ contentType: 'application/x-protobuf', body: bytes })).toMatchObject({ rejected: 2 })
    expect(outcome({ contentType: undefined, body: bytes })).toMatchObject({ rejected: 2 })
    const json = Buffer.from('{"partialSuccess":{"rejectedLogRecords":2}}')
    expect(outcome({ contentType: 'application/json; charset=utf-8', body: json })).toMatchObject({ rejected: 2 })
  })

  test('unknown fields of newer versions are skipped', () => {
    const { root: newer } = protobuf.parse(`
      syntax = "proto3";
      message Response { Partial partial_success = 1; fixed64 a = 7; fixed32 b = 8; string c = 9; }
      message Partial { int64 rejected_log_records = 1; string error_message = 2; double d = 99; }
    `)
    const type = newer.lookupType('Response')
    const body = type
      .encode({ a: 1, b: 2, c: 'x', partialSuccess: { rejectedLogRecords: 5, errorMessage: 'e', d: 1.5 } })
      .finish()
    expect(partialSuccessOf(body, false)).toEqual({ rejected: 5, message: 'e' })
  })
})

test('the message of an error response is reported from JSON and protobuf', () => {
  const message = 'sending queue is full'
  const expected = { kind: 'later', message: 'responded with status 503 (sending queue is full)' }
  expect(outcome({ status: 503, body: Buffer.from(JSON.stringify({ code: 14, message })) })).toEqual(expected)
  const bytes = encoded('Status', { code: 14, message })
  expect(outcome({ status: 503, contentType: 'application/x-protobuf', body: bytes })).toEqual(expected)
  const page = { status: 502, contentType: 'text/html', body: Buffer.from('<h1>Bad Gateway</h1>') }
  expect(outcome(page)).toEqual({ kind: 'later', message: 'responded with status 502' })
})

describe('reported part of a server message', () => {
  test.each([
    [
      'the text before the part of the request that a Collector quotes',
      'readObjectStart: expect { or n, but found h, error found in #10 byte of ...|hunter2|..., bigger context ...|x|...',
      'responded with status 400 (readObjectStart: expect)',
    ],
    [
      'the text before a quoted part without a brace',
      'ReadUint64: unexpected character: error found in #10 byte of ...|Nano":17.5|...',
      'responded with status 400 (ReadUint64: unexpected character:)',
    ],
    [
      'the text before a quoted context',
      'bad request, Bigger Context ...|hunter2|...',
      'responded with status 400 (bad request,)',
    ],
    ['the text before a double quote', 'invalid body "hunter2"', 'responded with status 400 (invalid body)'],
    ['the text before a single quote', "can't parse 'hunter2'", "responded with status 400 (can't parse)"],
    ['the text before a backquote', 'invalid `hunter2`', 'responded with status 400 (invalid)'],
    ['no text when it begins with a quoted part', '{"body":"hunter2"}', 'responded with status 400'],
    [
      'text without line breaks and invisible characters',
      'a\r\nSLUICE_X: b\u001b[31m\u202ec\u2028d',
      'responded with status 400 (a SLUICE_X: b [31m c d)',
    ],
    ['at most 200 characters', 'x'.repeat(201), `responded with status 400 (${'x'.repeat(200)}…)`],
  ])('the reported part of a server message is %s', (_title, message, expected) => {
    expect(reported(400, message)).toBe(expected)
  })

  test('quoted parts in the message of a partial success are not reported', () => {
    const partialSuccess = { rejectedLogRecords: 1, errorMessage: 'too old: "hunter2"' }
    const body = Buffer.from(JSON.stringify({ partialSuccess }))
    expect(outcome({ body })).toMatchObject({ message: 'rejected 1 record (too old:)' })
  })
})

// Fault rows: 36
describe('credentials in server messages', () => {
  const basic = Buffer.from('ann:hunter2 {x').toString('base64')

  test.each([
    ['a Basic header', `got ${basic} there`, 'got [REDACTED] there'],
    ['its decoded pair', 'no user ann:hunter2 {x here', 'no user [REDACTED] here'],
    ['its password', 'wrong password hunter2 {x here', 'wrong password [REDACTED] here'],
  ])('%s is redacted in a server message', (_title, words, expected) => {
    expect(reported(401, words, headerSecrets(new Map([['authorization', `Basic ${basic}`]])))).toBe(
      `responded with status 401 (${expected})`,
    )
  })

  test('the user name and password of the URL are redacted in a server message', () => {
    const secrets = urlSecrets(new URL('http://ann:hunter%202@x/'))
    expect(reported(401, 'no ann:hunter 2, hunter 2, hunter%202', secrets)).toBe(
      'responded with status 401 (no [REDACTED], [REDACTED], [REDACTED])',
    )
  })

  test.each(['authorization', 'Proxy-Authorization', 'cookie', 'x-api-key', 'DD-API-KEY', 'x-token', 'client-secret'])(
    'the value of the header %s is redacted in a server message',
    (name) => {
      const secrets = headerSecrets(new Map([[name.toLowerCase(), 'id=1; hunter2']]))
      expect(reported(401, 'no id=1; hunter2, hunter2', secrets)).toBe(
        'responded with status 401 (no [REDACTED], [REDACTED])',
      )
    },
  )

  test('tokens after Bearer and Basic are redacted in a server message, even if they were not sent', () => {
    const secrets = headerSecrets(new Map([['x-forwarded', 'Bearer tok-1']]))
    expect(reported(401, 'tok-1 is no bearer tok-2 or Basic dG9rLTM=', secrets)).toBe(
      'responded with status 401 ([REDACTED] is no bearer [REDACTED] or Basic [REDACTED])',
    )
  })

  test.each([
    ['a cookie', headerSecrets(new Map([['cookie', 'sid=hunter2; lang=en']])), 'no session hunter2'],
    [
      'a signature',
      headerSecrets(new Map([['authorization', 'Signature keyId="k", signature="hunter2"']])),
      'not hunter2',
    ],
    ['a percent-encoded key', headerSecrets(new Map([['x-api-key', 'hunter2/+']])), 'no key hunter2%2F%2B'],
    ['the query of the URL', urlSecrets(new URL('http://x/?api_key=hunter2&page=10')), 'no key hunter2, page 10'],
    ['a signature in the URL', urlSecrets(new URL('http://x/?sig=hunter2%2F')), 'not hunter2/ or sig=hunter2%2F'],
    ['a URL with only a user name', urlSecrets(new URL('http://hunter2@x/')), 'no user hunter2'],
  ])('the secret part of %s is redacted in a server message', (_, secrets, words) => {
    const text = reported(401, words, secrets)
    expect(text).toContain('[REDACTED]')
    expect(text).not.toContain('hunter2')
  })

  test('a secret that the length limit would truncate is not reported in part', () => {
    expect(reported(401, `${'x'.repeat(190)} hunter2-hunter2`, ['hunter2-hunter2'])).not.toContain('hunter2')
  })

  test('the value of a header that is not a credential is not redacted', () => {
    expect(headerSecrets(new Map([['x-scope', 'records']]))).toEqual([])
  })

  test('the text of the diagnostic itself is not redacted', () => {
    const body = Buffer.from('{"partialSuccess":{"rejectedLogRecords":1,"errorMessage":"records"}}')
    const text = outcomeOf(answered({ body }), { ...sent, secrets: ['records'] }, now).message
    expect(text).toBe('rejected 1 record ([REDACTED])')
  })
})

// Requirements: OTL10
test('a request without a response is retryable, and an invalid certificate is reported', () => {
  expect(unanswered('ECONNRESET')).toEqual({
    kind: 'unanswered',
    mayHaveArrived: true,
    message: 'did not respond (ECONNRESET)',
  })
  expect(unanswered('CERT_HAS_EXPIRED').message).toBe('has a certificate that failed verification (CERT_HAS_EXPIRED)')
})
