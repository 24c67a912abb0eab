import { afterAll, describe, expect, test } from '@jest/globals'
import { inspect } from 'node:util'
import { createLogger } from '../../../src/create/create-logger.ts'
import { fdExporter } from '../../../src/exporters/fd/fd-exporter.ts'
import type { Diagnostic } from '../../../src/options/configuration-error.ts'
import { stallingPipe, temporaryDirectory, type TemporaryDirectory } from '../../support/files/pipes.ts'
import { canary, canaryIn } from '../fuzz/canary.ts'
import { kinds, logRows, rowsAndRules } from './rules.ts'
import { sinks } from './sinks.ts'

const directories: TemporaryDirectory[] = []

afterAll(() => {
  for (const directory of directories) directory.remove()
})

// Fault rows: 34
describe('redaction in all destinations', () => {
  const cases = Object.keys(sinks).flatMap((name) => kinds.map((kind) => [name, kind] as const))

  test.each(cases)('no secret is written to %s with the rules: %s', async (name, kind) => {
    const directory = temporaryDirectory()
    directories.push(directory)
    const left = await sinks[name]!(kind, (file) => directory.path(file))
    expect(canaryIn(left)).toBeUndefined()
    // Every row has logged at least one redacted value.
    expect(left.split('[REDACTED]').length).toBeGreaterThan(rowsAndRules(kind).rows.length)
  })
})

// Fault rows: 34, 36
test.each(['keys', 'patterns'] as const)(
  'reports of dropped records contain counts and no secret, with %s rules',
  async (kind) => {
    const directory = temporaryDirectory()
    directories.push(directory)
    const pipe = stallingPipe(directory.path('pipe'))
    const problems: Diagnostic[] = []
    const log = createLogger({
      redact: rowsAndRules(kind).redact,
      // Drop reports contain the scope and resource of the dropped records.
      ...(kind === 'patterns' ? { name: canary, resource: { host: canary } } : {}),
      exporter: fdExporter({ fd: pipe.fd, layout: 'otel', maxQueueBytes: 16_384, onFull: 'dropNewest' }),
      handleExit: false,
      onDiagnostic: (problem) => problems.push(problem),
    })
    for (let time = 0; time < 20; time++) logRows(log, kind)
    let text = ''
    const reading = setInterval(() => (text += pipe.readAll()), 1)
    await log.flush({ timeoutMillis: 5_000 })
    log.info('more')
    await log.flush({ timeoutMillis: 5_000 })
    clearInterval(reading)
    text += pipe.readAll()
    pipe.close()
    await log.shutdown({ timeoutMillis: 1_000 })
    expect(text).toMatch(/\d+ records? (?:was|were) dropped/)
    expect(canaryIn(text + inspect([problems, log.stats()], { depth: 9 }))).toBeUndefined()
  },
)
