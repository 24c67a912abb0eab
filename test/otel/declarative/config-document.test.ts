import { afterAll, describe, expect, test } from '@jest/globals'
import { mkdirSync, symlinkSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { Worker } from 'node:worker_threads'
import { join } from 'node:path'
import { readConfigDocument } from '../../../src/otel/configuration-file/config-document.ts'
import { ConfigFiles, configurationErrorsOf } from './config-files.ts'

const files = new ConfigFiles()
afterAll(() => files.remove())

const problems = (text: string, name?: string): string[] =>
  configurationErrorsOf(() => readConfigDocument(files.write(text, name), {}), files)

// Requirements: CFG4
describe('unreadable configuration files', () => {
  test('a missing configuration file is an error that names the file', () => {
    expect(configurationErrorsOf(() => readConfigDocument(join(files.directory, 'no.yaml'), {}), files)).toEqual([
      'no.yaml: cannot be read (ENOENT)',
    ])
  })

  test('a directory is rejected as a configuration file', () => {
    mkdirSync(join(files.directory, 'folder.yaml'))
    expect(configurationErrorsOf(() => readConfigDocument(join(files.directory, 'folder.yaml'), {}), files)).toEqual([
      'folder.yaml: must be a regular file of at most 1048576 bytes',
    ])
  })

  test('a named pipe is rejected as a configuration file without blocking', () => {
    const pipe = join(files.directory, 'pipe.yaml')
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0)
    expect(configurationErrorsOf(() => readConfigDocument(pipe, {}), files)).toEqual([
      'pipe.yaml: must be a regular file of at most 1048576 bytes',
    ])
  })

  test('a configuration file larger than 1 MiB is rejected', () => {
    expect(problems(`# ${'x'.repeat(1024 * 1024)}`)).toEqual([
      'otel.yaml: must be a regular file of at most 1048576 bytes',
    ])
  })

  test('a configuration file without the extension .yaml or .yml is rejected', () => {
    expect(problems('a: 1', 'otel.json')).toEqual(['otel.json: must be a YAML file, with the extension .yaml or .yml'])
  })
})

test('a configuration file that is a symbolic link, as in a Kubernetes volume, is read', () => {
  const link = join(files.directory, 'link.yaml')
  symlinkSync(files.write('a: 1'), link)
  expect(readConfigDocument(link, {}).kind).toBe('section')
})

// The path is a pipe half of the time; the check and the read must apply to the same file.
test('a path that alternates between a file and a pipe neither blocks nor bypasses the check', async () => {
  const path = files.write('a: 1', 'exchanged.yaml')
  const pipe = join(files.directory, 'exchanged.pipe')
  const spare = join(files.directory, 'exchanged.spare')
  expect(spawnSync('mkfifo', [pipe]).status).toBe(0)
  const exchange = `const { renameSync } = require('node:fs')
    const { path, pipe, spare } = require('node:worker_threads').workerData
    for (;;) { renameSync(path, spare); renameSync(pipe, path); renameSync(path, pipe); renameSync(spare, path) }`
  const worker = new Worker(exchange, { eval: true, workerData: { path, pipe, spare } })
  try {
    await new Promise((resolve) => worker.once('online', resolve))
    const seen = new Set<string>()
    for (let n = 0; n < 5_000; n++) {
      const found = configurationErrorsOf(() => void readConfigDocument(path, {}), files)
      seen.add(found.join())
    }
    expect([...seen].filter((text) => !/^$|ENOENT|must be a regular file/.test(text))).toEqual([])
  } finally {
    await worker.terminate()
  }
})

// Requirements: CFG4
describe('invalid YAML documents', () => {
  test.each([
    ['a: 1\nb: "SECRET\\q"', 'otel.yaml:2:11: is not valid YAML: Invalid escape sequence (BAD_DQ_ESCAPE)'],
    ['a: SECRET: x', 'otel.yaml:1:4: is not valid YAML: Nested mappings are not allowed in compact mappings'],
    ['a: 1\na: SECRET', 'otel.yaml:2:1: is not valid YAML: Map keys must be unique (DUPLICATE_KEY)'],
    ['a: *SECRET', 'otel.yaml:1:4: refers to an anchor that is not defined before it'],
    ['a: [1\nSECRET', 'otel.yaml:2:1: is not valid YAML: '],
    ['a: "SECRET', 'otel.yaml:1:11: is not valid YAML: Missing closing'],
    ['a: !SECRET x', 'otel.yaml:1:4: is not valid YAML: Unresolved tag'],
    ['%SECRET\n---\na: 1', 'otel.yaml:1:1: is not valid YAML: Unknown directive'],
    ['a: }SECRET', 'otel.yaml'],
    ['a: 1\n---\nb: SECRET', 'otel.yaml:2:1: must contain exactly one YAML document'],
    ['? [SECRET]\n: 1', 'otel.yaml:1:3: has a property whose name is not a string'],
    ['1: SECRET', 'otel.yaml:1:1: has a property whose name is not a string'],
    ['', 'otel.yaml: is empty; it must set file_format'],
    ['# SECRET\n', 'otel.yaml: is empty; it must set file_format'],
    ['a: &x [*x]', 'otel.yaml:1:8: refers to an anchor that is not defined before it'],
  ])('the document %j is reported as invalid, without its content', (text, expected) => {
    const found = problems(text)
    expect(found).toEqual([expect.stringContaining(expected)])
    expect(found.join()).not.toContain('SECRET')
  })

  test('a document whose aliases expand exponentially is rejected', () => {
    const lines = Array.from({ length: 30 }, (_, i) => `a${i}: &a${i} [${i === 0 ? '1' : `*a${i - 1}, *a${i - 1}`}]`)
    expect(problems(lines.join('\n'))).toEqual([expect.stringContaining('has too many or too deeply nested values')])
  })

  test('a document with too many nested levels is rejected', () => {
    expect(problems(`a: ${'['.repeat(200)}${']'.repeat(200)}`)).toEqual([expect.stringContaining('deeply nested')])
  })
})

test('an alias has the value of its anchor', () => {
  const path = files.write('a: &x {b: 1}\nc: *x')
  const root = readConfigDocument(path, {})
  expect(root.kind === 'section' && root.entries.get('c')?.node).toMatchObject({ kind: 'section' })
})
