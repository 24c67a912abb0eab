import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { outputFormats } from '../../src/output/output.ts'
import type { PatternPresetName } from '../../src/redact/patterns/presets.ts'
import { seed } from '../support/seed.ts'
import { appLog, bytesWritten, mapOf, readRecord, type RecordParts } from './written.ts'

const base64Url = fc.string({
  unit: fc.constantFrom(...Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')),
  minLength: 24,
  maxLength: 40,
})
/** A secret that a rule finds in any text, and the part of it that must be in no byte. */
interface Canary {
  readonly rule: PatternPresetName
  readonly text: string
  readonly secret: string
}
const canary: fc.Arbitrary<Canary> = fc.oneof(
  base64Url.map((secret) => ({ rule: 'credentials' as const, text: `Bearer ${secret}`, secret })),
  base64Url.map((secret) => ({ rule: 'credentials' as const, text: `https://ann:${secret}@db.example.com/x`, secret })),
  base64Url.map((secret) => ({ rule: 'credentials' as const, text: `password=${secret}`, secret })),
  fc.tuple(base64Url, base64Url).map(([payload, signature]) => ({
    rule: 'jwt' as const,
    text: `eyJhbGciOiJIUzI1NiJ9.eyJ${payload}.${signature}`,
    secret: payload,
  })),
  fc
    .constantFrom('4111111111111111', '5500 0000 0000 0004', '3782-822463-10005')
    .map((secret) => ({ rule: 'card' as const, text: secret, secret })),
  fc.string({ unit: fc.constantFrom(...Array.from('abcdefghij')), minLength: 12, maxLength: 16 }).map((user) => ({
    rule: 'email' as const,
    text: `${user}@example.com`,
    secret: user,
  })),
)

/** A member of JSON as a program writes it, with some characters as escapes. */
const escaped = (text: string) =>
  JSON.stringify(text).replaceAll(
    /[4e.]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** The places of a record and of text in which a canary can be, by name. */
const places: Readonly<Record<string, (text: string) => RecordParts>> = {
  message: (text) => ({ message: `got ${text} here`, body: `got ${text} here` }),
  'JSON in a message': (text) => ({ message: `body: {"a":${escaped(text)}}`, body: `body: {"a":${escaped(text)}}` }),
  'an attribute': (text) => ({ attributes: { note: text } }),
  'a nested attribute': (text) => ({ attributes: { a: { b: [{ c: `x ${text} y` }] } } }),
  'the name of an attribute': (text) => ({ attributes: { [text]: 1 } }),
  'the name of a member': (text) => ({ attributes: { a: { [text]: 1 } } }),
  bytes: (text) => ({ attributes: { bytes: Buffer.from(text) } }),
  'the stack': (text) => ({ attributes: { 'exception.stacktrace': `Error: ${text}\n    at f (/a.js:1:1)` } }),
  'the resource': (text) => ({ resource: { 'host.name': text, 'service.name': text } }),
  'the scope': (text) => ({ scope: text, scopeVersion: text }),
  'the event name': (text) => ({ eventName: text, message: undefined, body: undefined }),
  'the level': (text) => ({ level: text, severityText: text }),
  'the container': (text) => ({ origin: { ...appLog, container: text } }),
  'a structured body': (text) => ({ message: undefined, body: mapOf({ a: { b: text } }) }),
  raw: (text) => ({ raw: `${text} \n` }),
  'raw JSON': (text) => ({ raw: `{"a":{"b":["x",${JSON.stringify(text)}]}}\n` }),
  'raw JSON with escapes': (text) => ({ raw: `api-1 | {"a":{"b":["x",${escaped(text)}]},"a":1}\n` }),
  'raw JSON in a string of raw JSON': (text) => ({
    raw: `${JSON.stringify({ log: `${JSON.stringify({ a: `{"b":${escaped(text)}}` })}\n` })}\n`,
  }),
}

describe('--redact', () => {
  it('writes a secret that a rule finds in no byte of any format, wherever the secret is', () => {
    fc.assert(
      fc.property(
        canary,
        fc.constantFrom(...Object.keys(places)),
        fc.boolean(),
        ({ rule, text, secret }, place, isTerminal) => {
          for (const format of outputFormats) {
            const bytes = bytesWritten(
              format,
              (output) => {
                output.record(readRecord(places[place]!(text)))
                output.text(Buffer.from(`a ${text} \n`), appLog)
                output.text(Buffer.from(`a \u001b[31m${text.slice(0, 3)}\u001b[0m${text.slice(3)} \n`), appLog)
              },
              { redact: [rule], isTerminal, usesColors: isTerminal, ...(isTerminal ? { showKeys: ['*'] } : {}) },
            )
            const shown = bytes.toString()
            expect(`${format}: ${shown}`).not.toContain(secret)
            expect(shown).not.toContain(Buffer.from(text).toString('base64'))
          }
        },
      ),
      { numRuns: 300, seed },
    )
  })

  it('redacts the values of names such as password, in attributes and in raw JSON', () => {
    const secret = 'correct horse'
    const lines = [
      { password: secret },
      { db: { db_password: { a: secret } } },
      { user: { API_TOKEN: [secret] } },
      { headers: { cookie: secret } },
    ]
    for (const line of lines) {
      const record = readRecord({ attributes: line, raw: `x ${JSON.stringify(line)}\n` })
      for (const format of outputFormats)
        expect(
          bytesWritten(format, (output) => output.record(record), { redact: ['credentials'] }).toString(),
        ).not.toContain('horse')
    }
  })

  it('redacts the values of secret names in raw OTLP/JSON, whose names are values', () => {
    const attribute = { key: 'password', value: { stringValue: 'correct horse' } }
    const raw = `${JSON.stringify({ resourceLogs: [{ attributes: [{ key: 'a', value: { intValue: '1' } }, attribute] }] })}\n`
    const text = bytesWritten('raw', (output) => output.record(readRecord({ raw })), {
      redact: ['credentials'],
    }).toString()
    expect(JSON.parse(text)).toEqual({
      resourceLogs: [
        {
          attributes: [
            { key: 'a', value: { intValue: '1' } },
            { key: 'password', value: { stringValue: '[REDACTED]' } },
          ],
        },
      ],
    })
  })

  it('keeps the bytes of lines without a secret', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const written = bytesWritten('raw', (output) => output.text(bytes, appLog), { redact: ['jwt', 'card'] })
        expect(written.equals(bytes)).toBe(true)
      }),
      { numRuns: 500, seed },
    )
  })

  it('keeps JSON valid, and all that is not secret', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (json) => {
        const raw = `{"a": ${JSON.stringify(json)} , "password" : [1,{"b":"}"}],"z":[] }\n`
        const text = bytesWritten('raw', (output) => output.record(readRecord({ raw })), {
          redact: ['credentials'],
        }).toString()
        const { a, password, z } = JSON.parse(text) as Record<string, unknown>
        expect({ password, z }).toEqual({ password: '[REDACTED]', z: [] })
        expect(typeof a).toBe(typeof json)
      }),
      { numRuns: 300, seed },
    )
  })

  it('redacts a private key whose lines are passed through one at a time', () => {
    const lines = ['before', '-----BEGIN PRIVATE KEY-----', 'MIIEvQ', 'IBADANBg', '-----END PRIVATE KEY-----', 'after']
    const text = bytesWritten(
      'pretty',
      (output) => {
        for (const line of lines) output.text(Buffer.from(`${line}\n`), appLog)
      },
      { redact: ['credentials'] },
    )
    expect(text.toString()).toBe('before\n[REDACTED]\nafter\n')
  })

  it('redacts JSON that is cut', () => {
    const text = bytesWritten(
      'raw',
      (output) => output.text(Buffer.from('{"a":1,"password":{"x":"hunter2 hunter3\n'), appLog),
      { redact: ['credentials'] },
    )
    expect(text.toString()).toBe('{"a":1,"password":"[REDACTED]"\n')
  })
})
