import { describe, expect, test } from '@jest/globals'
import { createLogger } from '../../src/create/create-logger.ts'
import { createLogger as createCoreLogger } from '../../src/create/create-core-logger.ts'
import { memoryExporter } from '../../src/exporters/memory/memory-exporter.ts'
import type { ConfigurationError } from '../../src/options/configuration-error.ts'

function problemsOf(options: object): string[] {
  try {
    createLogger({ exporter: memoryExporter(), handleExit: false, ...options })
  } catch (error) {
    return (error as ConfigurationError).problems.map(({ code, path, message }) => `${code} ${path}: ${message}`)
  }
  return []
}

describe('recorder options', () => {
  test.each<[string, unknown, string]>([
    ['true', true, 'SLUICE_OPTION_TYPE recorder: must be an object with options, not a boolean'],
    ['null', null, 'SLUICE_OPTION_TYPE recorder: must be an object with options, not null'],
    ['a level', 'debug', 'SLUICE_OPTION_TYPE recorder: must be an object with options, not a string'],
    ['a list', [], 'SLUICE_OPTION_TYPE recorder: must be an object with options, not an array'],
    ['a function', () => {}, 'SLUICE_OPTION_TYPE recorder: must be an object with options, not a function'],
    [
      'an unknown name',
      { triggers: 'warn' },
      'SLUICE_OPTION_UNKNOWN recorder.triggers: unknown option; did you mean "trigger"?',
    ],
    [
      'an unknown level',
      { level: 'debugs' },
      'SLUICE_LEVEL_UNKNOWN recorder.level: unknown level "debugs"; did you mean "debug"?',
    ],
    [
      'the level silent',
      { level: 'silent' },
      'SLUICE_LEVEL_UNKNOWN recorder.level: unknown level "silent"; valid levels are trace, debug, info, warn, error, fatal',
    ],
    [
      'the trigger silent',
      { trigger: 'silent' },
      'SLUICE_LEVEL_UNKNOWN recorder.trigger: unknown level "silent"; valid levels are trace, debug, info, warn, error, fatal',
    ],
    [
      'a number as level',
      { level: 20 },
      'SLUICE_OPTION_TYPE recorder.level: must be the name of a level, not a number',
    ],
    [
      'a level as severe as the trigger',
      { level: 'error' },
      'SLUICE_OPTION_CONFLICT recorder.level: must be less severe than the trigger, error; lower it, or raise trigger',
    ],
    [
      'a trigger that is a function',
      { trigger: () => true },
      'SLUICE_OPTION_TYPE recorder.trigger: must be the name of a level, not a function',
    ],
    [
      'an empty key',
      { by: '' },
      "SLUICE_OPTION_RANGE recorder.by: must be 'trace', 'request' or the name of an attribute",
    ],
    [
      'a key that is an object',
      { by: { attribute: 'a' } },
      'SLUICE_OPTION_TYPE recorder.by: must be a string, not an object',
    ],
    ['a key that is a symbol', { by: Symbol('a') }, 'SLUICE_OPTION_TYPE recorder.by: must be a string, not a symbol'],
    ['no records', { maxRecords: 0 }, 'SLUICE_OPTION_RANGE recorder.maxRecords: must be an integer of 1 or more'],
    ['half a record', { maxRecords: 1.5 }, 'SLUICE_OPTION_RANGE recorder.maxRecords: must be an integer of 1 or more'],
    ['no bytes', { maxBytes: 0 }, 'SLUICE_OPTION_RANGE recorder.maxBytes: must be an integer of 1 or more'],
    ['NaN bytes', { maxBytes: Number.NaN }, 'SLUICE_OPTION_RANGE recorder.maxBytes: must be an integer of 1 or more'],
    [
      'bytes as text',
      { maxTotalBytes: '16MB' },
      'SLUICE_OPTION_TYPE recorder.maxTotalBytes: must be an integer of 65536 or more, or Infinity, not a string',
    ],
    [
      'too few total bytes',
      { maxTotalBytes: 100 },
      'SLUICE_OPTION_RANGE recorder.maxTotalBytes: must be an integer of 65536 or more',
    ],
    [
      'more bytes for a key than in total',
      { maxBytes: 100_000, maxTotalBytes: 70_000 },
      'SLUICE_OPTION_CONFLICT recorder.maxBytes: must not exceed maxTotalBytes, 70000; lower it, or raise maxTotalBytes',
    ],
    [
      'no age',
      { maxAgeMillis: 0 },
      'SLUICE_OPTION_RANGE recorder.maxAgeMillis: must be an integer from 1 to 2147483647',
    ],
    [
      'an infinite age',
      { maxAgeMillis: Infinity },
      'SLUICE_OPTION_RANGE recorder.maxAgeMillis: must be an integer from 1 to 2147483647',
    ],
  ])('createLogger rejects %s', (_, recorder, expected) => {
    expect(problemsOf({ recorder })).toEqual([expect.stringContaining(expected)])
  })

  test.each<[string, object, string]>([
    [
      'a provider',
      { provider: 'global', exporter: undefined, recorder: {} },
      'recorder: cannot be combined with provider',
    ],
    [
      'traceContext: false',
      { traceContext: false, recorder: {} },
      "recorder.by: requires the trace context; remove traceContext: false, or set by to 'request' or an attribute",
    ],
  ])('createLogger rejects a recorder with %s', (_, options, expected) => {
    expect(problemsOf(options)).toEqual([expect.stringContaining(`SLUICE_OPTION_CONFLICT ${expected}`)])
  })

  test('all problems are reported together', () => {
    expect(problemsOf({ recorder: { maxRecords: 0, by: 1 }, name: 1 })).toHaveLength(3)
  })

  test.each<[string, object]>([
    ['no option', {}],
    ['undefined options', { recorder: undefined }],
    ['defaults', { recorder: {} }],
    ['custom levels', { levels: { notice: 10 }, recorder: { level: 'trace', trigger: 'notice' } }],
    ['no limits', { recorder: { maxRecords: Infinity, maxBytes: Infinity, maxTotalBytes: Infinity } }],
    ['a small total', { recorder: { maxTotalBytes: 65_536 } }],
    ['an attribute without the trace context', { traceContext: false, recorder: { by: 'tenant' } }],
  ])('createLogger accepts %s', (_, options) => {
    expect(problemsOf(options)).toEqual([])
  })

  test('a getter that throws is a problem, and each option is read once', () => {
    const hostile = {
      get by() {
        throw new Error('no')
      },
    }
    expect(problemsOf({ recorder: hostile })).toEqual([expect.stringContaining('recorder.by: cannot be read')])
    let reads = 0
    const counting = {
      get maxRecords() {
        return ++reads
      },
    }
    expect(problemsOf({ recorder: counting })).toEqual([])
    expect(reads).toBe(1)
  })

  test('createLogger of sluice/core has a recorder, which holds records by an attribute', () => {
    const exporter = memoryExporter()
    const log = createCoreLogger({ exporter: exporter as never, recorder: { by: 'tenant' } })
    const child = log.child({ tenant: 'a' })
    child.debug('held')
    child.error('failed')
    expect(exporter.records.map(({ message }) => message)).toEqual(['held', 'failed'])
  })
})
