import { afterEach, describe, expect, test } from '@jest/globals'
import bole from '../../src/entries/bole.ts'
import { createLogger } from '../../src/entries/bunyan.ts'
import type { RedactOptions } from '../../src/redact/redact.ts'
import { objectStream } from './bole/support.ts'

afterEach(() => void bole.reset())

type WriteRecord = (fields: object, redact?: RedactOptions) => Record<string, unknown>

/** Streams that receive each record as an object. */
const streams: Readonly<Record<string, WriteRecord>> = {
  'a raw stream of bunyan': (fields, redact) => {
    const records: Record<string, unknown>[] = []
    const stream = { write: (record: (typeof records)[number]) => records.push(record) }
    const rules = redact === undefined ? {} : { redact }
    createLogger({ name: 'n', ...rules, streams: [{ type: 'raw', stream }] }).info(fields, 'm')
    return records[0]!
  },
  'an output of bole in object mode': (fields, redact) => {
    const { stream, objects } = objectStream()
    const rules = redact === undefined ? {} : { redact }
    bole.reset().output({ level: 'debug', stream, ...rules })
    bole('n').info(fields, 'm')
    return objects[0] as Record<string, unknown>
  },
}

const secret = 'zqSecret'
const plain = { host: 'x', accept: '*/*' }

/** A list that JSON does not show. */
class List extends Array<unknown> {
  toJSON(): string {
    return 'list'
  }
}

/** Values without anything to redact. */
const harmless: Readonly<Record<string, unknown>> = {
  'a Map': new Map<unknown, unknown>([['headers', plain], [{}, [1]]]), // prettier-ignore
  'a Set': new Set([new URL('https://x@example.com/'), new Date(0)]),
  Headers: new Headers(plain),
  'a Request': new Request('http://localhost/', { headers: plain }),
  'a Response': new Response('x', { headers: plain }),
  'a member with a symbol key': Object.assign(new Date(0), { [Symbol('headers')]: plain }),
  'a non-enumerable member': Object.defineProperty({}, 'cookies', { value: { sid: secret } }),
  'header fields as text': { header: 'HTTP/1.1 200 OK\r\nVary: Cookie\r\n\r\n' },
  'a function': Object.assign(() => {}, { headers: plain }),
  'an object that contains itself': circular(),
  'a Buffer': Buffer.from('x'),
  'a list with other members': Object.assign([1, 'x'], { headers: plain, [Symbol('headers')]: plain }),
  'a list of a subclass': List.from([plain]),
}

/** Values with secrets that are redacted by default. */
const secrets: Readonly<Record<string, unknown>> = {
  'a Map of headers': { headers: new Map([['Cookie', secret]]) },
  'a Map with headers': new Map([['headers', { cookie: secret }]]),
  'a Map with an object as key': new Map([[{ headers: { cookie: secret } }, 1]]),
  'a Map with a flat header list': new Map([['rawHeaders', ['Cookie', secret]]]),
  'a Map with header fields as text': new Map([['header', `Cookie: ${secret}`]]),
  'a Set with headers': new Set([{ headers: { cookie: secret } }]),
  'a Set with a URL': new Set([new URL(`https://u:${secret}@example.com/`)]),
  'a Map with a request': new Map([['req', { method: 'GET', url: `https://u:${secret}@x/`, headers: {} }]]),
  Headers: new Headers({ cookie: secret }),
  'Headers in a list in a Map': new Map([['list', [[new Headers({ cookie: secret })]]]]),
  'a Request': new Request('http://localhost/', { headers: { cookie: secret } }),
  'a Response': new Response('x', { headers: { 'x-api-key': secret } }),
  'a symbol key': { [Symbol('kOutHeaders')]: { 'set-cookie': ['Set-Cookie', secret] } },
  'a non-enumerable member': Object.defineProperty({}, 'headers', { value: { cookie: secret } }),
  'a function': Object.assign(() => {}, { headers: { cookie: secret } }),
  'a list with a symbol member': Object.assign([1], { [Symbol('headers')]: { cookie: secret } }),
  'a list with a member that is not an item': Object.assign([1], { headers: { cookie: secret } }),
  'a list with a hole and another member': Object.assign(Array(1), { headers: { cookie: secret } }),
  'a list with a non-enumerable member': Object.defineProperty([1], 'headers', { value: { cookie: secret } }),
  'a list of a subclass with toJSON': List.from([{ headers: { cookie: secret } }]),
  'a Map with another member': Object.assign(new Map(), { headers: { cookie: secret } }),
  'a Set with another member': Object.assign(new Set(), { headers: { cookie: secret } }),
  'a URL with another member': Object.assign(new URL('http://x/'), { headers: { cookie: secret } }),
  'a Buffer with a symbol member': Object.assign(Buffer.from('x'), { [Symbol('headers')]: { cookie: secret } }),
  'an object that is also referenced under another key': shared(),
  'more objects than are searched for secrets': new Map(Array.from({ length: 21_000 }, (_, index) => [index, {}])),
  'a proxy that throws': new Map([[1, new Proxy({}, { ownKeys: () => { throw new Error('no') } })]]), // prettier-ignore
}

function circular(): object {
  const node: Record<string, unknown> = { map: new Map() }
  node['self'] = node
  ;(node['map'] as Map<string, unknown>).set('node', node)
  return node
}

function shared(): object {
  const fields = { cookie: secret }
  return new Map<string, unknown>([['a', { fields }], ['headers', fields]]) // prettier-ignore
}

describe.each(Object.entries(streams))('records of %s', (_, write) => {
  test.each(Object.entries(harmless))('the record contains the logged object itself for %s', (__, value) => {
    expect(write({ value })['value']).toBe(value)
  })

  test.each(Object.entries(secrets))('the record contains a redacted copy of the value for %s', (__, value) => {
    const record = write({ value, count: 1 })
    expect(record).toMatchObject({ count: 1 })
    expect(record['value']).not.toBe(value)
    // Without the default rules the stream receives the object itself.
    expect(write({ value }, { credentialHeaders: false })['value']).toBe(value)
  })
})
