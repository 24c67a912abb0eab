import { describe, expect, test } from '@jest/globals'
import { globSync, readFileSync } from 'node:fs'
import { importOf, runModule } from '../../support/processes/child.ts'

const program = importOf('{ createLogger }', 'src/create/create-logger.ts') + `createLogger().info('hello')`

// Requirements: ENV10
test('OTEL_LOG_LEVEL does not change what the application logs', async () => {
  const { stdout, stderr } = await runModule(program, { env: { OTEL_LOG_LEVEL: 'none', SLUICE_FORMAT: 'json' } })
  expect(JSON.parse(stdout)).toMatchObject({ level: 'info', message: 'hello' })
  expect(stderr).toBe('')
})

// Requirements: ENV10
describe('OTEL_LOG_LEVEL and diagnostics of the SDK', () => {
  const warning = 'SLUICE_ENV_INVALID'
  const error = 'SLUICE_PROVIDER_MISSING'
  const failing =
    importOf('{ createLogger }', 'src/create/create-logger.ts') +
    `process.env.SLUICE_LAYOUT = 'wrong'
     const options = { provider: 'global' }
     createLogger(options).info('x')`
  const withCallback = `
     createLogger({ ...options, onDiagnostic: ({ code }) => console.log(code) }).info('x')`

  test.each([
    ['none', []],
    ['ERROR', [error]],
    ['warn', [warning, error]],
    ['info', [warning, error]],
    ['Debug', [warning, error]],
    ['verbose', [warning, error]],
    ['ALL', [warning, error]],
    ['', [warning, error]],
    ['loud', [warning, warning, error]],
  ])('OTEL_LOG_LEVEL=%j selects the diagnostics that are written to stderr', async (level, codes) => {
    const { stderr } = await runModule(failing, { env: { OTEL_LOG_LEVEL: level } })
    expect(stderr.match(/SLUICE_[A-Z_]+(?=:)/g) ?? []).toEqual(codes)
    const message = 'OTEL_LOG_LEVEL must be one of none, error, warn, info, debug'
    expect(stderr.includes(message)).toBe(level === 'loud')
  })

  test('onDiagnostic receives every diagnostic regardless of OTEL_LOG_LEVEL', async () => {
    const { stdout, stderr } = await runModule(failing + withCallback, { env: { OTEL_LOG_LEVEL: 'none' } })
    expect([stdout, stderr]).toEqual(['SLUICE_PROVIDER_MISSING\n', ''])
  })
})

test('every diagnostic code at warning level is used in the source and listed in the error reference', () => {
  const src = new URL('../../../src/', import.meta.url)
  const read = (path: string) => readFileSync(new URL(path, src), 'utf8')
  const table = 'lifecycle/diagnostic-levels.ts'
  const others = globSync('**/*.ts', { cwd: src })
    .filter((path) => !path.endsWith(table))
    .map(read)
    .join('\n')
  const codes = read(table).match(/SLUICE_[A-Z_]+/g)!
  expect(codes.length).toBeGreaterThan(10)
  expect(codes.filter((code) => !others.includes(code))).toEqual([])
  const page = readFileSync(new URL('../../../docs/reference/errors.md', import.meta.url), 'utf8')
  const [, listed = ''] = /These\s+codes\s+have\s+the\s+level\s+`warn`:([^.]*)\./.exec(page) ?? []
  expect(listed.match(/SLUICE_[A-Z_]+/g)!.toSorted()).toEqual([...codes].toSorted())
})

/** Those that `sluice ui` only sets for the program that it starts. They are in the specification, but no requirement names them. */
const setForPrograms = [
  'OTEL_TRACES_EXPORTER',
  'OTEL_METRICS_EXPORTER',
  'OTEL_BLRP_SCHEDULE_DELAY',
  'OTEL_BSP_SCHEDULE_DELAY',
]

// Requirements: ENV24
test('every OTEL_ variable in the source is defined by OpenTelemetry', () => {
  const src = new URL('../../../src/', import.meta.url)
  const page = readFileSync(new URL('../../../docs/reference/opentelemetry.json', import.meta.url), 'utf8')
  const text = globSync('**/*.ts', { cwd: src }).map((path) => readFileSync(new URL(path, src), 'utf8'))
  const named = new Set(text.join('\n').match(/\bOTEL_[A-Z_]*[A-Z]\b/g))
  expect(named.size).toBeGreaterThan(1)
  expect([...named].filter((name) => !page.includes(name)).toSorted()).toEqual(setForPrograms.toSorted())
})
