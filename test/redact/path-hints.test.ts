import { describe, expect, test } from '@jest/globals'
import { memoryExporter } from '../../src/entries/exporters.ts'
import { createLogger } from '../../src/entries/index.ts'
import type { Diagnostic } from '../../src/options/configuration-error.ts'

/** Returns the diagnostics that are reported when a logger is created. */
function reported(redact: string[] | { paths: string[] }): Diagnostic[] {
  const problems: Diagnostic[] = []
  createLogger({ redact, exporter: memoryExporter(), onDiagnostic: (problem) => problems.push(problem) })
  return problems
}

describe('redaction paths that begin with a member of the record', () => {
  test.each([
    ['attributes.user.password', 'write user.password,'],
    ['attributes["user"].password', 'write ["user"].password,'],
    [' attributes . user', 'write user,'],
    ['attributes[*].pin', 'write [*].pin,'],
    ['resource.attributes.token', 'paths do not redact the resource; use patterns,'],
  ])('a path that begins with a member of the record is reported with the correct path: %s', (path, advice) => {
    for (const redact of [[path], { paths: ['a', path] }]) {
      expect(reported(redact)).toEqual([
        { code: 'SLUICE_PATH_MISPLACED', message: expect.stringContaining(advice) as unknown as string },
      ])
    }
  })

  test('several misplaced paths are reported in one diagnostic', () => {
    expect(reported(['attributes.a', 'attributes.b'])).toHaveLength(1)
  })

  test.each([
    '["attributes"].user',
    'attributes',
    'attributesOf.x',
    'body.password',
    'message.text',
    'resource.id',
    '*.attributes.x',
  ])('a path is not reported when attributes probably have that name or when it is in brackets: %s', (path) =>
    expect(reported([path])).toEqual([]),
  )

  test('a misplaced path still redacts an attribute with that name', () => {
    const exporter = memoryExporter()
    const log = createLogger({ redact: ['attributes.pin'], exporter, onDiagnostic: () => {} })
    log.info('m', { attributes: { pin: '1234' } })
    expect(exporter.records[0]!.attributes).toEqual({ attributes: { pin: '[REDACTED]' } })
  })
})
