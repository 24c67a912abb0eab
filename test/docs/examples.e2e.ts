import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { programsOf, type DocumentedProgram } from './blocks.ts'
import { Workshop } from './workshop.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string): string => readFileSync(root + path, 'utf8')

const documents = ['README.md', ...globSync('docs/**/*.md', { cwd: root, exclude: ['docs/{api,site}/**'] }).toSorted()]
const written = documents.flatMap((path) => programsOf(path, read(path)))
/** Longer programs are separate files, with their output in a .txt file. */
const files = globSync('docs/examples/*.ts', { cwd: root })
  .toSorted()
  .map((path): DocumentedProgram => {
    return { place: path, text: read(path), output: read(path.replace(/ts$/, 'txt')) }
  })
const programs = [...written, ...files]

const workshop = new Workshop()
const printed = new Map<string, string>()
const folderOf = (place: string): string => place.replaceAll('/', '+')

beforeAll(async () => {
  for (const { place, text } of programs) workshop.add(folderOf(place), text)
  const pending = programs.values()
  const workers = Array.from({ length: Math.max(2, availableParallelism()) }, async () => {
    for (const { place } of pending) printed.set(place, await workshop.run(folderOf(place)))
  })
  await Promise.all(workers)
  // Several hundred programs take twenty seconds, and minutes on a busy machine.
}, 240_000)

afterAll(() => workshop.remove())

test('every program in the documentation compiles', async () => {
  expect(programs.length).toBeGreaterThan(0)
  expect(await workshop.compile()).toBe('')
})

describe('output of documented programs', () => {
  test.each(programs.map((program) => [program.place, program] as const))(
    'the program in %s prints its documented output',
    (place, { output }) => {
      expect(constant(printed.get(place)!)).toBe(constant(output))
    },
  )
})

/** Replaces everything that differs between runs and machines: times, frames, durations, ids, ports, names and versions. */
function constant(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '2026-01-01T00:00:00.000Z')
    .replaceAll(/"time":\d{13}\b/g, '"time":0')
    .replaceAll(/"hostname":"[^"]*","pid":\d+/g, '"hostname":"web-1","pid":7')
    .replaceAll(/"(hostname|runtimeVersion)":"[^"]*"/g, '"$1":"…"')
    .replaceAll(/\b\d\d:\d\d:\d\d\.\d{3}\b/g, '00:00:00.000')
    .replaceAll(/(?:\\n {4}at [^\\"]*)+/g, '\\n    at …')
    .replaceAll(/(?:\n {8}at .*)+/g, '\n        at …')
    .replaceAll(/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g, '…')
    .replaceAll(/"(trace_id|span_id)":"[\da-f]+"/g, '"$1":"…"')
    .replaceAll(/(?<=[ "])(?:\d+\.)?\d+m?s(?=")/g, '0ms')
    .replaceAll(/("(?:server\.port|http\.server\.request\.duration|sluice\.duration_ms)":)[\d.e-]+/g, '$10')
    .replaceAll(/\btimes in \d+\.\d s\b/g, 'times in 0.0 s')
}
