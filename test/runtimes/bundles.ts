import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createContext, Script } from 'node:vm'
import { runChild, type ChildResult } from '../support/processes/child.ts'
import { fakeCollector, type FakeCollector } from '../support/otlp/fake-collector.ts'
import { expectApplication, expectCore, Folder, linesOf } from './suite.ts'

/** Defines the suite of a bundler with the program `bundle.js` in the folder of `of`, a file URL. */
export function bundlerSuite(of: string): void {
  let folder: Folder
  let collector: FakeCollector

  beforeAll(() => {
    folder = new Folder(of)
  })
  afterAll(() => folder.remove())
  beforeEach(async () => {
    collector = await fakeCollector()
  })
  afterEach(() => collector.close())

  /** Bundles a program without warnings, then removes the sources, because the bundle must not need them. */
  async function bundle(name: string, file: string, kind: 'esm' | 'cjs' | 'browser'): Promise<void> {
    const entry = join(folder.programs, `${name}.js`)
    folder.pack()
    const args = [join(folder.path, 'bundle.js'), entry, file, kind]
    const ended = await runChild({ args, timeoutMillis: 50_000 })
    folder.unpack()
    expect(ended).toMatchObject({ code: 0, stderr: '' })
  }

  describe.each(['esm', 'cjs'] as const)('a bundle for Node in %s', (format) => {
    const extension = format === 'esm' ? 'mjs' : 'cjs'
    /** Returns a path outside the repository, without files of the package next to the bundle. */
    const place = (name: string): string => join(folder.outside, format, `${name}.${extension}`)

    beforeAll(async () => {
      mkdirSync(join(folder.outside, format))
      for (const name of ['application', 'parts']) await bundle(name, place(name), format)
    })

    test.each([
      ['end', 0],
      ['exit', 3],
      ['throw', 1],
    ])('a bundle writes every line before the process ends by %s', async (end, code) => {
      const ended = await runChild({ args: [place('application'), end] })
      expect(ended.code).toBe(code)
      expectApplication(ended)
    })

    function runParts(): Promise<ChildResult> {
      return runChild({ args: [place('parts'), folder.outside, collector.url] })
    }

    test('a bundle reports missing files of the package, and counts the records that are lost', async () => {
      const { code, stdout, stderr } = await runParts()
      expect(code).toBe(0)
      expect(stdout).toBe('writer SLUICE_WRITER_MISSING\n')
      expect(collector.sequence).toEqual([])
      expect(stderr).toMatch(/^sluice: SLUICE_RECORDS_LOST: .*\b100\b/m)
    })

    test('a bundle works with the files of the package copied next to it', async () => {
      for (const part of ['writer-process.mjs', 'otlp-exit-worker.mjs']) {
        copyFileSync(folder.ours(`dist/${part}`), join(folder.outside, format, part))
      }
      const { stdout } = await runParts()
      expect(stdout).toBe('writer true\n')
      expect(linesOf(join(folder.outside, 'by-process.log'))).toContainEqual(
        expect.objectContaining({ message: 'by a process of its own' }),
      )
      expect(collector.sequence).toEqual(Array.from({ length: 100 }, (_, seq) => seq))
    })
  })

  test('a bundle for browsers does not use Node APIs', async () => {
    const file = join(folder.outside, 'core.js')
    await bundle('core', file, 'browser')
    const text = readFileSync(file, 'utf8')
    expect(text).not.toMatch(/["']node:|\brequire\(/)
    const printed: string[] = []
    const print = (line: string): void => void printed.push(line)
    const timers = ['setTimeout', 'clearTimeout', 'performance', 'queueMicrotask']
    const names = [...timers, 'TextEncoder', 'TextDecoder', 'URL', 'btoa', 'fetch', 'AbortController']
    const globals = Object.fromEntries(names.map((name) => [name, Reflect.get(globalThis, name) as unknown]))
    const browser = { debug: print, info: print, warn: print, error: print }
    const context = createContext({ ...globals, console: browser }) as {
      readonly logByCore?: (url: string) => Promise<unknown>
    }
    new Script(text).runInContext(context)
    const stats = await context.logByCore!(collector.url)
    expectCore(printed, collector.sequence, stats)
  })
}
