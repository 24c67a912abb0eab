import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { join } from 'node:path'
import { runChild, type ChildResult } from '../support/processes/child.ts'
import { fakeCollector, type FakeCollector } from '../support/otlp/fake-collector.ts'
import { expectApplication, expectCore, Folder, linesOf } from './suite.ts'

/** The command that starts a runtime. */
export interface Runtime {
  /** An executable in `node_modules/.bin`. */
  readonly command: string
  readonly args: readonly string[]
}

/** Defines the suite of a runtime with processes, like Node. `of` is the URL of a file in its folder. */
export function processSuite(of: string, { command, args }: Runtime): void {
  let folder: Folder
  let collector: FakeCollector

  beforeAll(() => {
    folder = new Folder(of)
    folder.pack()
  })
  afterAll(() => folder.remove())
  beforeEach(async () => {
    collector = await fakeCollector()
  })
  afterEach(() => collector.close())

  function run(program: string, ...more: readonly string[]): Promise<ChildResult> {
    return runChild({ command: folder.bin(command), args: [...args, join(folder.programs, program), ...more] })
  }

  describe('output at process exit', () => {
    test.each([
      ['end', 0],
      ['exit', 3],
      ['throw', 1],
    ])('a process writes every line in order and redacted before it ends by %s', async (end, code) => {
      const ended = await run('application.js', end)
      expect(ended.code).toBe(code)
      expectApplication(ended)
    })
  })

  test('the writer process and the exit worker thread deliver all records', async () => {
    const { stdout, stderr } = await run('parts.js', folder.outside, collector.url)
    expect({ stdout, stderr }).toEqual({ stdout: 'writer true\n', stderr: '' })
    expect(linesOf(join(folder.outside, 'by-process.log'))).toContainEqual(
      expect.objectContaining({ message: 'by a process of its own' }),
    )
    expect(collector.sequence).toEqual(Array.from({ length: 100 }, (_, seq) => seq))
  })

  test('fileExporter writes, rotates and compresses files', async () => {
    const { stdout } = await run('files.js', folder.outside)
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, written: 20_000, archives: 2, seen: 20_000 })
  })

  test('sluice/core logs to the console and with fetch', async () => {
    const { code, stdout, stderr } = await run('core-in-a-process.js', collector.url)
    expect(code).toBe(0)
    const printed = stdout.trimEnd().split('\n')
    const stats: unknown = JSON.parse(printed.pop()!)
    expectCore([...printed, ...stderr.trimEnd().split('\n')], collector.sequence, stats)
  })
}
