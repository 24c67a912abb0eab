import { expect, test } from '@jest/globals'
import { readFileSync } from 'node:fs'

// Requirements: EXP3
test.each([
  ['docs/reference/exporters.md', '## Lines: `fdExporter`, `fileExporter`, `processExporter`', '| `fdExporter`'],
  ['src/exporters/line-exporter-options.ts', 'export interface LineExporterOptions', 'readonly format?:'],
])('%s states that the format pretty may change in any release', (path, start, end) => {
  const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
  const from = text.indexOf(start)
  const part = text.slice(from, text.indexOf(end, from))
  expect(part.replaceAll(/\s+(?:\* )?/g, ' ')).toMatch(/(?:form|output) of `pretty` .*may change in any release/)
})
