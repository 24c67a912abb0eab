import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { readFileSync, writeFileSync } from 'node:fs'
import { importOf, runChild, type ChildResult } from '../../support/processes/child.ts'
import { temporaryDirectory, type TemporaryDirectory } from '../../support/files/pipes.ts'

let folder: TemporaryDirectory
beforeEach(() => {
  folder = temporaryDirectory()
})
afterEach(() => folder.remove())

/** Runs a program with a transport, `thread`, whose module contains the given text. */
function runTransport(module: string, program: string): Promise<ChildResult> {
  const target = folder.path('target.mjs')
  writeFileSync(target, module)
  const path = folder.path('program.mjs')
  writeFileSync(
    path,
    `${importOf('{ transport }', 'src/entries/pino.ts')}
const thread = transport({ target: ${JSON.stringify(target)} })
${program}`,
  )
  return runChild({ args: [path] })
}

/** The text of a transport module that writes its lines to the file `log`, and runs code when it is opened. */
function fileModule(code: string): string {
  return `import { appendFileSync } from 'node:fs'
import { Writable } from 'node:stream'
import { parentPort } from 'node:worker_threads'
export default () => {
  ${code}
  return new Writable({ write: (text, _, done) => done(appendFileSync(${JSON.stringify(folder.path('log'))}, text)) })
}`
}

describe('messages of a transport module', () => {
  test.each(['undefined', 'null', '1', "'text'", 'true', '10n', '{}', "{ code: 'WARNING' }", "{ code: 'FLUSHED' }"])(
    'a module may post %s to its parent port',
    async (message) => {
      const { code, stderr } = await runTransport(
        fileModule(`parentPort.postMessage(${message})`),
        "thread.write('one\\n')\nthread.end()",
      )
      expect({ code, stderr: stderr.replace(/^\(node:.*\n/gm, '') }).toEqual({
        code: 0,
        stderr: expect.not.stringContaining('TypeError'),
      })
      expect(readFileSync(folder.path('log'), 'utf8')).toBe('one\n')
    },
  )

  test.each(['null', 'undefined', "'text'", '{ toString: 1, valueOf: 1 }'])(
    'a module that throws %s fails without an exception in the program',
    async (thrown) => {
      const { code, stderr, stdout } = await runTransport(
        fileModule(`setTimeout(() => { throw ${thrown} }, 50)`),
        "thread.on('ready', () => thread.ref()).on('close', () => console.log('closed'))",
      )
      expect({ code, stdout }).toEqual({ code: 0, stdout: 'closed\n' })
      expect(stderr).toContain('SLUICE_WRITE_FAILED: a transport failed: ')
    },
  )

  test('an `error` event that a module emits without a listener is reported', async () => {
    const { code, stderr } = await runTransport(
      fileModule("parentPort.postMessage({ code: 'EVENT', name: 'error', args: [new Error('no')] })"),
      "thread.write('one\\n')\nthread.end()",
    )
    expect(code).toBe(0)
    expect(stderr).toContain('SLUICE_WRITE_FAILED: a transport failed: no')
    expect(readFileSync(folder.path('log'), 'utf8')).toBe('one\n')
  })
})

describe('a process with a transport that is ending', () => {
  test.each([
    ['end() is called in a flush callback', 'thread.flush(() => thread.end())'],
    ['unref() is called after end()', 'thread.end()\nthread.unref()'],
    ['end() is called after flush()', 'thread.flush()\nthread.end()'],
  ])('stays alive until `close` is emitted when %s', async (_, calls) => {
    const { code, stdout } = await runTransport(
      fileModule('')
        .replace('done(', 'setTimeout(done, 100, ')
        .replace('new Writable({', 'new Writable({ final: (done) => setTimeout(done, 100),'),
      `thread.on('close', () => console.log('closed'))
thread.on('ready', () => {
  thread.write('one\\n')
  ${calls}
})`,
    )
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'closed\n' })
  })
})
