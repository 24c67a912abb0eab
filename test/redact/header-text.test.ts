import { describe, expect, test } from '@jest/globals'
import { headerTextCensor, redactHeaderText } from '../../src/redact/header-text.ts'
import { credentialHeaders } from '../../src/redact/headers.ts'
import { revoked, thrower, traps } from '../support/values/hostile.ts'

const X = '[REDACTED]'

describe('redaction of header text', () => {
  test.each([...credentialHeaders])('the value of the header %s is redacted in lower and upper case', (name) => {
    for (const written of [name, name.toUpperCase()]) {
      const text = `HTTP/1.1 200 OK\r\nHost: x\r\n${written}: secret value\r\nVary: ${name}\r\n\r\n`
      expect(redactHeaderText(text)).toBe(text.replace('secret value', X))
    }
  })

  test.each([
    ['a single header', 'Cookie: a', `Cookie: ${X}`],
    ['a header without a space after the colon', 'cookie:a', `cookie:${X}`],
    ['a header with a space before the colon', 'cookie : a', `cookie : ${X}`],
    ['a header value on several lines', 'Cookie: a\r\n b\r\n\tc\r\nHost: d', `Cookie: ${X}\r\nHost: d`],
    ['an empty header value', 'Cookie:\r\nHost: d', `Cookie:${X}\r\nHost: d`],
    ['lines that end in LF', 'Host: d\nCookie: a\nX: b', `Host: d\nCookie: ${X}\nX: b`],
    ['lines that end in CR', 'Host: d\rCookie: a\rX: b', `Host: d\rCookie: ${X}`],
    ['a header value with a Unicode line separator', 'Cookie: a\u2028b\nX: c', `Cookie: ${X}\nX: c`],
    ['several headers with the same name', 'set-cookie: a\nset-cookie: b', `set-cookie: ${X}\nset-cookie: ${X}`],
  ])('%s is redacted up to the end of its value', (_, text, expected) => {
    expect(redactHeaderText(text)).toBe(expected)
  })

  test.each([
    ['JSON', '{"accept":"*/*","authorization":"Bearer a"}'],
    ['JSON of pairs', '["Host","x","Cookie","a"]'],
    ['an inspected object', "{ accept: '*/*', cookie: 'a' }"],
    ['an inspected object with quoted keys', "{ 'set-cookie': [ 'a', 'b' ] }"],
    ['an inspected Map', "Map(1) { 'cookie' => 'a' }"],
    ['a URL-encoded form', 'host=x&authorization=a'],
    ['a command line', 'curl -H "Authorization: a"'],
    ['a header in a sentence', 'sent Host: x, Cookie: a'],
  ])('a text is redacted as a whole when it contains a credential header in another form: %s', (_, text) => {
    expect(redactHeaderText(text)).toBe(X)
  })

  test.each([
    'HTTP/1.1 200 OK\r\nVary: Cookie\r\nAccess-Control-Allow-Headers: authorization, x-api-key\r\n\r\n',
    'x-cookie: a',
    'cookies: 2',
    'Bearer a',
    'a cookie and an authorization',
    '',
  ])('text without a credential header is not changed: %j', (text) => {
    expect(redactHeaderText(text)).toBe(text)
  })

  test('long texts are redacted up to their end', () => {
    for (const part of ['cookie', 'cookie: ', '\r\n ', ' ', 'cookie:a\n', '"cookie"', 'a'])
      expect(redactHeaderText(`${part.repeat(50_000)}\ncookie: secret`)).not.toContain('secret')
  })
})

describe('redaction of header bytes', () => {
  const bytes = Buffer.from('Host: x\r\nCookie: a')
  const harmless = Buffer.from('Host: x')

  test.each([
    ['a Buffer', (from: Buffer) => from],
    ['a Uint8Array', (from: Buffer) => new Uint8Array(from)],
    ['a part of a larger buffer', (from: Buffer) => new Uint8Array(Buffer.concat([Buffer.alloc(4), from])).subarray(4)],
    ['an ArrayBuffer', (from: Buffer) => new Uint8Array(from).buffer],
    ['a SharedArrayBuffer', (from: Buffer) => shared(from)],
    ['a DataView', (from: Buffer) => new DataView(new Uint8Array(from).buffer)],
    ['the JSON of a Buffer', (from: Buffer) => from.toJSON()],
    ['the JSON of a Uint8Array', (from: Buffer) => Object.fromEntries([...from].entries())],
    ['a list of numbers', (from: Buffer) => [...from]],
  ])('bytes that contain a credential header are redacted as a whole: %s', (_, form) => {
    expect(headerTextCensor.replace(form(bytes), [])).toBe(X)
    const other = form(harmless)
    expect(headerTextCensor.replace(other, [])).toBe(other)
  })

  test.each<[string, () => object]>([
    ['an object of bytes with a getter', () => withGetter({ 0: 72 }, 1)],
    ['an array of bytes with a getter', () => withGetter([72, 72], 1)],
    ['an array whose first item has a getter', () => withGetter([72, 72], 0)],
    ['an object whose tag has a getter', () => withGetter({}, Symbol.toStringTag)],
    ['an object whose JSON data has a getter', () => ({ type: 'Buffer', data: withGetter([72, 72], 1) })],
    ['a proxy whose traps throw', () => new Proxy({}, traps)],
    ['a revoked proxy', () => revoked()],
    ['a revoked array', () => revoked([])],
    ['a sparse array with four billion items', () => Object.assign([72], { length: 4e9 })],
  ])('a value that is not bytes is not changed, and none of its getters is called: %s', (_, make) => {
    const value = make()
    expect(headerTextCensor.replace(value, []) === value).toBe(true)
  })

  test('other values are not changed, and their getters are not called', () => {
    const value = {
      get type(): string {
        throw new Error('called')
      },
      get 0(): number {
        throw new Error('called')
      },
    }
    for (const each of [value, [], {}, [1, 'a'], { type: 'Buffer' }, { type: 'Buffer', data: 'x' }, 1, null, undefined])
      expect(headerTextCensor.replace(each, [])).toBe(each)
  })
})

function withGetter(object: object, key: PropertyKey): object {
  return Object.defineProperty(object, key, { get: thrower, enumerable: true, configurable: true })
}

function shared(from: Buffer): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(from.length)
  new Uint8Array(buffer).set(from)
  return buffer
}
