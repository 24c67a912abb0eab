import { expect, test } from '@jest/globals'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { isMainThread } from '../../../src/platform/node/main-thread.ts'

const mainThread = new URL('../../../src/platform/node/main-thread.ts', import.meta.url).href

/** Returns the output of a program that runs in a process without a test runner. */
async function outputOf(program: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
  return stdout
}

const found = `const { isMainThread } = await import(${JSON.stringify(mainThread)})`

test('the main thread of a process is detected', async () => {
  expect(await outputOf(`${found}; console.log(isMainThread)`)).toBe('true\n')
})

test('a worker thread is detected', async () => {
  const inWorker = `import('node:worker_threads').then(async ({ parentPort }) => {
    ${found}; parentPort.postMessage(isMainThread) })`
  const program = `const { Worker } = await import('node:worker_threads')
    new Worker(${JSON.stringify(inWorker)}, { eval: true }).on('message', console.log)`
  expect(await outputOf(program)).toBe('false\n')
})

test('detecting the thread does not load node:worker_threads', async () => {
  const loaded = `process.moduleLoadList.includes('NativeModule worker_threads')`
  expect(await outputOf(`${found}; console.log(${loaded}, isMainThread)`)).toBe('false true\n')
})

test('a test runner that runs tests in processes sees a main thread', () => {
  expect(isMainThread).toBe(true)
})
