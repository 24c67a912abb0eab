import { expect, test } from '@jest/globals'
import { globSync, readFileSync } from 'node:fs'
import { importOf, runModule } from '../../support/child.ts'

const program = importOf('{ createLogger }', 'src/create-logger.ts') + `createLogger().info('said')`

test('OTEL_LOG_LEVEL does not change what the application logs (ENV10)', async () => {
  const { stdout, stderr } = await runModule(program, { env: { OTEL_LOG_LEVEL: 'none', SLUICE_FORMAT: 'json' } })
  expect(JSON.parse(stdout)).toMatchObject({ level: 'info', message: 'said' })
  expect(stderr).toBe('')
})

test('variables called OTEL_ are OpenTelemetry’s, and none is of our making (ENV24)', () => {
  const src = new URL('../../../src/', import.meta.url)
  const page = readFileSync(new URL('../../../docs/reference/opentelemetry.json', import.meta.url), 'utf8')
  const text = globSync('**/*.ts', { cwd: src }).map((path) => readFileSync(new URL(path, src), 'utf8'))
  const named = new Set(text.join('\n').match(/\bOTEL_[A-Z_]*[A-Z]\b/g))
  expect(named.size).toBeGreaterThan(1)
  expect([...named].filter((name) => !page.includes(name))).toEqual([])
})
