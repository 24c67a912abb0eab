import { describe, expect, test } from '@jest/globals'
import { globSync, readFileSync } from 'node:fs'
import { importOf, runModule } from '../../support/processes/child.ts'

const program = importOf('{ createLogger }', 'src/create/create-logger.ts') + `createLogger().info('said')`

test('OTEL_LOG_LEVEL does not change what the application logs (ENV10)', async () => {
  const { stdout, stderr } = await runModule(program, { env: { OTEL_LOG_LEVEL: 'none', SLUICE_FORMAT: 'json' } })
  expect(JSON.parse(stdout)).toMatchObject({ level: 'info', message: 'said' })
  expect(stderr).toBe('')
})

describe('OTEL_LOG_LEVEL is the level of our own diagnostics on stderr (ENV10)', () => {
  const warning = 'SLUICE_ENV_INVALID'
  const error = 'SLUICE_PROVIDER_MISSING'
  const failing =
    importOf('{ createLogger }', 'src/create/create-logger.ts') +
    `process.env.SLUICE_LAYOUT = 'wrong'
     const options = { provider: 'global' }
     createLogger(options).info('x')`
  const told = `
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
  ])('%j', async (level, codes) => {
    const { stderr } = await runModule(failing, { env: { OTEL_LOG_LEVEL: level } })
    expect(stderr.match(/SLUICE_[A-Z_]+(?=:)/g) ?? []).toEqual(codes)
    const message = 'OTEL_LOG_LEVEL must be one of none, error, warn, info, debug'
    expect(stderr.includes(message)).toBe(level === 'loud')
  })

  test('onDiagnostic receives all of them at any level', async () => {
    const { stdout, stderr } = await runModule(failing + told, { env: { OTEL_LOG_LEVEL: 'none' } })
    expect([stdout, stderr]).toEqual(['SLUICE_PROVIDER_MISSING\n', ''])
  })
})

test('every code of a diagnostic that counts as a warning exists, and the page of errors lists it', () => {
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
  const [, listed = ''] = /codes\s+after\s+which\s+nothing\s+is\s+lost:([^.]*)\./.exec(page) ?? []
  expect(listed.match(/SLUICE_[A-Z_]+/g)!.toSorted()).toEqual([...codes].toSorted())
})

test('variables called OTEL_ are OpenTelemetry’s, and none is of our making (ENV24)', () => {
  const src = new URL('../../../src/', import.meta.url)
  const page = readFileSync(new URL('../../../docs/reference/opentelemetry.json', import.meta.url), 'utf8')
  const text = globSync('**/*.ts', { cwd: src }).map((path) => readFileSync(new URL(path, src), 'utf8'))
  const named = new Set(text.join('\n').match(/\bOTEL_[A-Z_]*[A-Z]\b/g))
  expect(named.size).toBeGreaterThan(1)
  expect([...named].filter((name) => !page.includes(name))).toEqual([])
})
