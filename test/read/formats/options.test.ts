import { describe, expect, test } from '@jest/globals'
import { attributesOf, readLine, recordOf } from './read-line.ts'

describe('names of fields that are given', () => {
  test('have precedence over those of the format', () => {
    const line = { level: 'info', severity: 'WARNING', msg: 'm', text: 'the text', at: '2026-11-21T09:56:03.123Z' }
    const fieldNames = new Map([
      ['level', 'severity'],
      ['message', 'text'],
      ['time', 'at'],
    ])
    const record = recordOf(line, { fieldNames })
    expect(record).toMatchObject({
      level: 'warn',
      severityText: 'WARNING',
      message: 'the text',
      time: 1_795_254_963_123,
    })
    expect(attributesOf(record)).toEqual({ level: 'info', msg: 'm' })
  })

  test('can be paths, and a member with the literal name has precedence over them', () => {
    const fieldNames = new Map([
      ['level', 'log.severity'],
      ['trace_id', 'ctx.trace'],
      ['message', 'data.text'],
    ])
    const traceId = '0af7651916cd43dd8448eb211c80319c'
    const record = recordOf(
      { log: { severity: 'error', x: 1 }, ctx: { trace: traceId }, data: { text: 'nested' }, 'data.text': 'literal' },
      { fieldNames },
    )
    expect(record).toMatchObject({ level: 'error', message: 'literal', traceId })
    expect(attributesOf(record)).toEqual({ log: { x: 1 }, data: { text: 'nested' } })
  })

  test('apply to lines of the layout sluice', () => {
    const line = '{"timestamp":"2026-11-21T09:56:03.123Z","level":"info","message":"m","attributes":{"text":"t","a":1}}'
    const record = recordOf(line, { fieldNames: new Map([['message', 'attributes.text']]) })
    expect(record.message).toBe('t')
    expect(attributesOf(record)).toEqual({ message: 'm', a: 1 })
  })

  test('make a record of an object without other fields', () => {
    expect(readLine('{"what":"m"}')).toBeUndefined()
    expect(recordOf('{"what":"m"}', { fieldNames: new Map([['message', 'what']]) })).toMatchObject({
      format: 'json',
      message: 'm',
    })
  })
})

describe('a format that is given', () => {
  test('is used for each JSON object', () => {
    const line = { level: 'info', message: 'm', timestamp: '2026-11-21T09:56:03.123Z', a: 1 }
    expect(recordOf(line).format).toBe('json')
    expect(recordOf(line, { input: 'pino' })).toMatchObject({ format: 'pino', level: 'info', message: 'm' })
    expect(recordOf('{}', { input: 'pino' })).toMatchObject({ format: 'pino', level: '', message: undefined })
    expect(recordOf({ level: 6, msg: 'm' }, { input: 'bunyan' })).toMatchObject({ format: 'bunyan', severityNumber: 1 })
  })

  test('makes lines of other formats text', () => {
    expect(readLine('{"level":30,"msg":"m"}', { input: 'logfmt' })).toBeUndefined()
    expect(readLine('{"level":30,"msg":"m"}', { input: 'text' })).toBeUndefined()
    expect(readLine('{"level":30,"msg":"m"}', { input: 'otlp' })).toBeUndefined()
    expect(readLine('level=info msg=m', { input: 'pino' })).toBeUndefined()
  })
})
