import { afterEach, describe, expect, test } from '@jest/globals'
import { createLogger } from '../../src/create/create-logger.ts'
import {
  ConfigurationError,
  type ConfigurationProblem,
  type Diagnostic,
} from '../../src/options/configuration-error.ts'
import { StallingExporter, AcceptingExporter } from '../support/pipeline/exporters.ts'

function errorOf(options: unknown): ConfigurationError {
  try {
    createLogger(options as object)
  } catch (error) {
    if (error instanceof ConfigurationError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

/** The problems of the options, as `path code`. */
function problemsOf(options: unknown): string[] {
  const { code, problems } = errorOf(options)
  expect(code).toBe('SLUICE_CONFIG')
  return problems.map((problem) => `${problem.path} ${problem.code}`)
}

// Requirements: ERR2
test('one error lists all invalid options', () => {
  const error = errorOf({
    nmae: 'shop',
    version: 1,
    level: 'loud',
    levels: { 'not a name': 10, notice: 99, info: 3 },
    attributes: 'none',
    enrich: {},
    serializers: { order: 'String' },
    redact: ['a[', 'ok', '*..b'],
    limits: { depth: 0, recordBytes: 12, dept: 3 },
    resource: { 'service.name': [] },
    traceContext: 'yes',
    exporter: 'console',
    exitTimeoutMillis: -1,
    clock: 5,
    onDiagnostic: null,
  })
  expect(error.code).toBe('SLUICE_CONFIG')
  const found = error.problems.map(({ path, code }) => `${path} ${code}`)
  expect(found).toEqual(
    expect.arrayContaining([
      'nmae SLUICE_OPTION_UNKNOWN',
      'version SLUICE_OPTION_TYPE',
      'level SLUICE_LEVEL_UNKNOWN',
      'levels.not a name SLUICE_LEVEL_NAME',
      'levels.notice SLUICE_OPTION_RANGE',
      'levels.info SLUICE_LEVEL_NAME',
      'attributes SLUICE_OPTION_TYPE',
      'enrich SLUICE_OPTION_TYPE',
      'serializers.order SLUICE_OPTION_TYPE',
      'redact[0] SLUICE_PATH_SYNTAX',
      'redact[2] SLUICE_PATH_SYNTAX',
      'limits.depth SLUICE_OPTION_RANGE',
      'limits.recordBytes SLUICE_OPTION_RANGE',
      'limits.dept SLUICE_OPTION_UNKNOWN',
      'resource.service.name SLUICE_OPTION_TYPE',
      'traceContext SLUICE_OPTION_TYPE',
      'exporter SLUICE_OPTION_TYPE',
      'exitTimeoutMillis SLUICE_OPTION_RANGE',
      'clock SLUICE_OPTION_TYPE',
      'onDiagnostic SLUICE_OPTION_TYPE',
    ]),
  )
  expect(new Set(found).size).toBe(found.length)
  for (const { path } of error.problems) expect(error.message).toContain(path)
})

const thenable = ['th', 'en'].join('')

describe('validation of options', () => {
  test.each<[unknown, string[]]>([
    [null, [' SLUICE_OPTION_TYPE']],
    [5, [' SLUICE_OPTION_TYPE']],
    ['info', [' SLUICE_OPTION_TYPE']],
    [[], [' SLUICE_OPTION_TYPE']],
    [{ levels: null }, ['levels SLUICE_OPTION_TYPE']],
    [{ levels: { silent: 10 } }, ['levels.silent SLUICE_LEVEL_NAME']],
    [{ levels: { [thenable]: 10 } }, ['levels.then SLUICE_LEVEL_NAME']],
    [{ levels: { toString: 10 } }, ['levels.toString SLUICE_LEVEL_NAME']],
    [{ levels: { warn: 14 } }, ['levels.warn SLUICE_LEVEL_NAME']],
    [{ levels: { notice: '10' } }, ['levels.notice SLUICE_OPTION_TYPE']],
    [{ levels: { notice: 0 } }, ['levels.notice SLUICE_OPTION_RANGE']],
    [{ level: null }, ['level SLUICE_OPTION_TYPE']],
    [{ level: 'notice' }, ['level SLUICE_LEVEL_UNKNOWN']],
    [{ redact: 5 }, ['redact SLUICE_OPTION_TYPE']],
    [{ limits: { items: '5' } }, ['limits.items SLUICE_OPTION_TYPE']],
    [{ exporter: [] }, ['exporter SLUICE_OPTION_RANGE']],
    [{ exporter: null }, ['exporter SLUICE_OPTION_TYPE']],
    [{ exporter: [{}] }, ['exporter[0] SLUICE_OPTION_TYPE']],
    [{ exporter: Object.assign(new AcceptingExporter(), { encoding: null }) }, ['exporter SLUICE_OPTION_TYPE']],
    [
      { exporter: Object.assign(new AcceptingExporter(), { delivery: undefined }) },
      ['exporter.delivery SLUICE_OPTION_TYPE'],
    ],
    [
      { exporter: Object.assign(new AcceptingExporter(), { schedule: 'later' }) },
      ['exporter.schedule SLUICE_OPTION_RANGE'],
    ],
    [{ exporter: new AcceptingExporter({ delivery: { level: 'loud' } }) }, ['exporter.level SLUICE_LEVEL_UNKNOWN']],
    [
      { exporter: new AcceptingExporter({ delivery: { maxQueueBytes: 0 } }) },
      ['exporter.maxQueueBytes SLUICE_OPTION_RANGE'],
    ],
    [
      { exporter: [new AcceptingExporter({ delivery: { onFull: 'never' as never } })] },
      ['exporter[0].onFull SLUICE_OPTION_RANGE'],
    ],
  ])('invalid options %j are reported by their paths', (options, expected) => {
    expect(problemsOf(options)).toEqual(expected)
  })

  test('an unknown option is reported with the closest valid name', () => {
    expect(errorOf({ atributes: {} }).problems).toMatchObject([
      { message: expect.stringContaining('did you mean "attributes"?') },
    ])
  })

  test('a syntax error in a redaction path is reported with its position', () => {
    const [problem] = errorOf({ redact: { paths: ['ok', 'a.b[x'] } }).problems as [ConfigurationProblem]
    expect(problem).toMatchObject({ code: 'SLUICE_PATH_SYNTAX', path: 'redact.paths[1]', position: expect.any(Number) })
  })

  // Fault rows: 36
  test('an error message never contains a value that may be a secret', () => {
    const error = errorOf({
      name: 5,
      exitTimeoutMillis: 'hunter2',
      resource: { key: Symbol('hunter2') },
      attributes: 'hunter2',
    })
    expect(error.message).not.toMatch(/hunter2/)
  })

  test('createLogger starts no exporter when an option is invalid', async () => {
    const exporter = new AcceptingExporter()
    errorOf({ exporter, level: 'loud' })
    const log = createLogger({ exporter, handleExit: false })
    log.info('a')
    expect((await log.shutdown()).ok).toBe(true)
    expect(exporter.accepted).toHaveLength(1)
  })
})

describe('options of asynchronous exporters', () => {
  test('onFull: block is rejected for an exporter that needs the event loop', () => {
    const exporter = new StallingExporter({ name: 'slow', delivery: { onFull: 'block' } })
    expect(errorOf({ exporter }).problems).toEqual([
      {
        code: 'SLUICE_OPTION_CONFLICT',
        path: 'exporter.onFull',
        message: 'slow has no exportSync, so log calls cannot block; use dropLowest, dropNewest or dropOldest',
      },
    ])
  })
})

describe('environment variables', () => {
  const saved = { ...process.env }
  afterEach(() => {
    process.env = { ...saved }
  })

  // Requirements: ERR1, ENV4
  test('an invalid environment variable is reported once per process and ignored', async () => {
    Object.assign(process.env, { SLUICE_LEVEL: 'deafening', LOG_LEVEL: 'warn', SLUICE_PROFILE: 'bakery' })
    const diagnostics: Diagnostic[] = []
    const make = () =>
      createLogger({
        exporter: new AcceptingExporter(),
        onDiagnostic: (problem) => diagnostics.push(problem),
        handleExit: false,
      })
    const loggers = [make(), make(), make()]
    expect(loggers.map(({ level }) => level)).toEqual(['warn', 'warn', 'warn'])
    const reported = diagnostics
      .filter(({ code }) => code === 'SLUICE_ENV_INVALID')
      .map(({ message }) => message.split(' ')[0])
    expect(reported).toEqual(reported.filter((name, index) => reported.indexOf(name) === index))
    expect(reported).toContain('SLUICE_LEVEL')
    expect(JSON.stringify(diagnostics)).not.toMatch(/deafening|bakery/)
    await Promise.all(loggers.map((log) => log.shutdown()))
  })

  // Requirements: ENV6
  test('an environment variable does not override an option', () => {
    process.env.SLUICE_LEVEL = 'error'
    expect(createLogger({ exporter: new AcceptingExporter(), level: 'debug', handleExit: false }).level).toBe('debug')
    expect(createLogger({ exporter: new AcceptingExporter(), handleExit: false }).level).toBe('error')
  })

  test('SLUICE_LEVEL can name a custom level of the logger', () => {
    process.env.SLUICE_LEVEL = 'notice'
    const log = createLogger({ exporter: new AcceptingExporter(), levels: { notice: 10 }, handleExit: false })
    expect(log.level).toBe('notice')
  })
})
