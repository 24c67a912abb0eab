import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { runChild, type ChildResult } from '../../support/processes/child.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const program = join(root, 'dist/writer-process.mjs')

/** A program that depends on the package, with nothing else installed. */
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'sluice-dist-'))
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/sluice'), 'junction')
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Logs 1,000 records, prints its delivery statistics, and exits immediately. */
const body = (path: string, more = ''): string => `
  const log = createLogger({ exporter: processExporter({ path: ${JSON.stringify(path)}${more} }) })
  for (let seq = 0; seq < 1000; seq++) log.info('x', { seq })
  process.on('exit', () => {
    const { written, maybeDuplicated } = log.stats().exporters[0]
    process._rawDebug(JSON.stringify({ written, maybeDuplicated }))
  })
  process.exit()`

async function run(file: string, text: string): Promise<ChildResult> {
  writeFileSync(join(folder, file), text)
  return runChild({ args: [join(folder, file)], cwd: folder })
}

/** The expected outcome of a program that logged all records. */
const whole = { code: 0, stderr: '{"written":1000,"maybeDuplicated":0}\n', seqs: [...Array(1_000).keys()] }

function outcome({ code, stderr }: ChildResult, path: string): typeof whole {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  const seqs = lines.map((line) => (JSON.parse(line) as { attributes: { seq: number } }).attributes.seq)
  return { code: code!, stderr, seqs }
}

describe('builds', () => {
  test.each([
    ['ESM', 'esm.mjs', `import { createLogger } from 'sluice'\nimport { processExporter } from 'sluice/exporters'`],
    [
      'CommonJS',
      'cjs.cjs',
      `const { createLogger } = require('sluice')\nconst { processExporter } = require('sluice/exporters')`,
    ],
  ])('a program in %s logs through the writer process of the package', async (_, file, imports) => {
    const path = join(folder, `${file}.log`)
    expect(outcome(await run(file, imports + body(path)), path)).toEqual(whole)
  })

  test('the writer process is one self-contained file for both module formats', () => {
    expect(readFileSync(program, 'utf8')).not.toMatch(/from ['"](?!node:)/)
  })
})

describe.each(['esm', 'cjs'] as const)('bundles for %s', (format) => {
  const imports = `import { createLogger } from 'sluice'\nimport { processExporter } from 'sluice/exporters'`

  async function bundle(name: string, text: string): Promise<string> {
    mkdirSync(join(folder, name), { recursive: true })
    writeFileSync(join(folder, name, 'main.mjs'), imports + text)
    const file = join(folder, name, 'out', format === 'esm' ? 'bundle.mjs' : 'bundle.cjs')
    const cli = join(root, 'node_modules/rolldown/bin/cli.mjs')
    const args = [cli, join(folder, name, 'main.mjs'), '--platform', 'node', '--format', format, '--file', file]
    expect(await runChild({ args, cwd: folder })).toMatchObject({ code: 0 })
    return file
  }

  test('a bundle without the writer file throws SLUICE_WRITER_MISSING with instructions', async () => {
    const file = await bundle(`without-${format}`, body(join(folder, 'never.log')))
    const { code, stderr } = await runChild({ args: [file] })
    expect(code).toBe(1)
    expect(stderr).toContain('copy node_modules/sluice/dist/writer-process.mjs there, or set writerFile to its path')
    expect(stderr).toContain('(SLUICE_WRITER_MISSING)')
  })

  test('a bundle works with the writer file next to it', async () => {
    const path = join(folder, `beside-${format}.log`)
    const file = await bundle(`beside-${format}`, body(path))
    copyFileSync(program, join(file, '../writer-process.mjs'))
    expect(outcome(await runChild({ args: [file] }), path)).toEqual(whole)
  })

  test('a bundle works with the writerFile option', async () => {
    const path = join(folder, `named-${format}.log`)
    const copy = join(folder, `elsewhere-${format}.mjs`)
    copyFileSync(program, copy)
    const file = await bundle(`named-${format}`, body(path, `, writerFile: ${JSON.stringify(copy)}`))
    expect(outcome(await runChild({ args: [file] }), path)).toEqual(whole)
  })
})
