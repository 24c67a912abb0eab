import { describe, expect, test } from '@jest/globals'
import type { Diagnostic } from '../../../src/options/configuration-error.ts'
import { standardSeverities, severityRange, type StandardLevel } from '../../../src/record/severity.ts'
import { readEnvironment } from '../../../src/platform/node/env.ts'
import { valueOf, type Environment } from '../../../src/platform/node/variables.ts'

function read(env: Environment, levels?: readonly string[]) {
  const problems: Diagnostic[] = []
  return { ...readEnvironment((problem) => problems.push(problem), levels, env), problems }
}

test('an invalid value is reported later when there was no callback', () => {
  const env = { SLUICE_FORMAT: 'xml-4' }
  expect(readEnvironment(undefined, [], env).format).toBeUndefined()
  expect(read(env).problems).toHaveLength(1)
})

// Requirements: ENV1
test('an empty environment sets nothing', () => {
  const nothing = {
    level: undefined,
    lambdaLevel: undefined,
    profile: undefined,
    format: undefined,
    layout: undefined,
    isProduction: false,
    console: undefined,
  }
  expect(read({})).toEqual({ ...nothing, problems: [] })
  const empty = {
    SLUICE_PROFILE: '',
    AWS_LAMBDA_FUNCTION_NAME: '',
    AWS_LAMBDA_LOG_LEVEL: '',
    SLUICE_LEVEL: '',
    LOG_LEVEL: ' ',
    SLUICE_FORMAT: '',
    SLUICE_LAYOUT: '',
    NODE_ENV: '',
  }
  expect(read(empty)).toEqual({ ...nothing, problems: [] })
})

describe('the level', () => {
  test('SLUICE_LEVEL overrides LOG_LEVEL', () => {
    expect(read({ SLUICE_LEVEL: 'debug', LOG_LEVEL: 'error' }).level).toBe('debug')
    expect(read({ SLUICE_LEVEL: '', LOG_LEVEL: 'error' }).level).toBe('error')
  })

  test.each([
    ['info', 'info'],
    ['WARN', 'warn'],
    [' Fatal ', 'fatal'],
    ['silent', 'silent'],
    ['OFF', 'silent'],
    ['none', 'silent'],
    ['all', 'trace'],
    ['silly', 'trace'],
    ['log', 'info'],
    ['Informational', 'info'],
  ])('LOG_LEVEL=%j is %s', (value, level) => {
    expect(read({ LOG_LEVEL: value })).toMatchObject({ level, problems: [] })
  })

  // Severity numbers of OpenTelemetry's logs data model, appendix B, and of winston's npm levels.
  const foreign: readonly [string, number][] = [
    ['verbose', 6],
    ['http', 7],
    ['notice', 10],
    ['warning', 13],
    ['err', 17],
    ['severe', 17],
    ['crit', 18],
    ['critical', 18],
    ['alert', 19],
    ['emerg', 21],
    ['panic', 21],
  ]
  // Requirements: SEV5
  test.each(foreign)('the level name %s (%i) selects the level of its severity range', (name, severity) => {
    const level = read({ LOG_LEVEL: name }).level as StandardLevel
    expect(severityRange(standardSeverities[level])).toBe(severityRange(severity))
  })

  test('custom levels have precedence over standard names, and exact matches over case-insensitive ones', () => {
    const words = ['notice', 'Audit', 'audit']
    expect(read({ LOG_LEVEL: 'NOTICE' }, words).level).toBe('notice')
    expect(read({ LOG_LEVEL: 'audit' }, words).level).toBe('audit')
    expect(read({ LOG_LEVEL: 'AUDIT' }, words).level).toBe('Audit')
  })

  test.each([
    ['SLUICE_LEVEL', 'lowd', 'must be one of trace, debug, info, warn, error, fatal, silent'],
    ['SLUICE_LEVEL', 'dbug', 'must be one of trace, debug, info, warn, error, fatal, silent; did you mean "debug"?'],
    ['SLUICE_LEVEL', 'shop:debug', 'is invalid: write "=" before the level, as in db=debug'],
    ['LOG_LEVEL', 'inof', 'must be one of trace, debug, info, warn, error, fatal, silent; did you mean "info"?'],
    ['LOG_LEVEL', 'warn,db=debug', 'has directives, which only SLUICE_LEVEL can have'],
    ['AWS_LAMBDA_LOG_LEVEL', 'db=debug', 'has directives, which only SLUICE_LEVEL can have'],
  ])('%s=%s is ignored with a warning', (variable, value, message) => {
    const { level, lambdaLevel, problems } = read({ LOG_LEVEL: 'error', [variable]: value })
    expect([level, lambdaLevel]).toEqual([variable === 'LOG_LEVEL' ? undefined : 'error', undefined])
    expect(problems).toEqual([{ code: 'SLUICE_ENV_INVALID', message: `${variable} ${message}; it is ignored` }])
  })
})

// Requirements: ENV4
test.each([
  ['SLUICE_FORMAT', 'format', 'PRETTY', 'pretty'],
  ['SLUICE_PROFILE', 'profile', 'CLI', 'cli'],
  ['AWS_LAMBDA_LOG_LEVEL', 'lambdaLevel', 'WARN', 'warn'],
  ['SLUICE_LAYOUT', 'layout', 'Otel', 'otel'],
  ['SLUICE_LAYOUT', 'layout', 'ECS', 'ecs'],
] as const)('%s sets the %s, in any case', (variable, setting, value, expected) => {
  expect(read({ [variable]: value })[setting]).toBe(expected)
})

test('AWS Lambda is detected by AWS_LAMBDA_FUNCTION_NAME, and a valid SLUICE_PROFILE overrides it', () => {
  expect(read({ AWS_LAMBDA_FUNCTION_NAME: 'orders' }).profile).toBe('lambda')
  expect(read({ AWS_LAMBDA_FUNCTION_NAME: 'orders', SLUICE_PROFILE: 'service' }).profile).toBe('service')
  const wrong = read({ AWS_LAMBDA_FUNCTION_NAME: 'orders', SLUICE_PROFILE: 'lambada' })
  expect(wrong.profile).toBe('lambda')
  expect(wrong.problems).toEqual([
    { code: 'SLUICE_ENV_INVALID', message: 'SLUICE_PROFILE must be one of service, lambda, cli; it is ignored' },
  ])
})

test('production is detected by NODE_ENV', () => {
  expect(read({ NODE_ENV: 'production' }).isProduction).toBe(true)
  expect(read({ NODE_ENV: 'test' }).isProduction).toBe(false)
})

// Requirements: ENV4
describe('an invalid value is reported and never throws', () => {
  test('an invalid value is reported once for each variable and value', () => {
    const env = { SLUICE_FORMAT: 'xml-1', SLUICE_LAYOUT: 'xml-1' }
    expect(read(env).problems.map(({ message }) => message)).toEqual([
      'SLUICE_FORMAT must be one of auto, json, pretty, otlpJson; it is ignored',
      'SLUICE_LAYOUT must be one of sluice, otel, pino, gcp, ecs, datadog; it is ignored',
    ])
    expect(read(env).problems).toEqual([])
    expect(read({ SLUICE_FORMAT: 'xml-2' }).problems).toHaveLength(1)
  })

  test('the report does not contain the invalid value', () => {
    expect(JSON.stringify(read({ LOG_LEVEL: 'hunter2' }).problems)).not.toContain('hunter2')
  })

  // Requirements: ERR4
  test('a callback that throws changes nothing', () => {
    expect(readEnvironment(thrower, [], { SLUICE_FORMAT: 'xml-3' }).format).toBeUndefined()
  })

  test('an environment that cannot be read sets nothing', () => {
    const denied = new Proxy(
      {},
      {
        get() {
          throw new Error('NotCapable')
        },
      },
    )
    expect(read(denied)).toMatchObject({ level: undefined, problems: [] })
    expect(valueOf(denied, 'HOME')).toBeUndefined()
  })
})

function thrower(): never {
  throw new Error('no')
}
