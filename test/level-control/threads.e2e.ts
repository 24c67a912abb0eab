import { afterAll, expect, test } from '@jest/globals'
import { writeFileSync } from 'node:fs'
import { temporaryDirectory } from '../support/files/pipes.ts'
import { importOfBuild, runModule } from '../support/processes/child.ts'

const directory = temporaryDirectory()
afterAll(() => directory.remove())

const imports = importOfBuild('{ createLogger }', 'sluice') + importOfBuild('{ levelControl }', 'sluice/level-control')

/**
 * Runs a program with the function `startWorker`, whose workers evaluate the texts that they receive, with a logger `log` that the
 * first one with `log` creates, and answer with the value.
 */
async function run(program: string): Promise<{ values: unknown[]; changes: unknown[] }> {
  const worker = directory.path('worker.mjs')
  writeFileSync(
    worker,
    `${imports}
    import { parentPort } from 'node:worker_threads'
    let logger
    const scope = { levelControl, get log() { return (logger ??= createLogger({ name: 'worker' })) } }
    parentPort.on('message', (text) => parentPort.postMessage(String(new Function('scope', 'with (scope) return ' + text)(scope))))
  `,
  )
  const { stdout, stderr, code } = await runModule(
    `${imports}
    import { Worker } from 'node:worker_threads'
    import { once } from 'node:events'
    import { setTimeout } from 'node:timers/promises'
    const isDebug = 'log.isLevelEnabled("debug")'
    const log = createLogger({ name: 'main' })
    const isMainDebug = () => String(log.isLevelEnabled('debug'))
    async function startWorker(options = {}) {
      const worker = new Worker(${JSON.stringify(worker)}, { execArgv: [], ...options })
      await once(worker, 'online')
      worker.evaluate = async (text) => {
        worker.postMessage(text)
        return (await once(worker, 'message'))[0]
      }
      return worker
    }
    async function until(expected, read, attempts = 400) {
      for (let i = 0; i < attempts; i++) {
        if ((await read()) === String(expected)) return expected
        await setTimeout(25)
      }
      return 'never ' + expected
    }
    const report = (value) => log.info('value', { value })
    ${program}
  `,
    { timeoutMillis: 60_000 },
  )
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
  const lines = stdout
    .trim()
    .split('\n')
    .map(
      (line) =>
        JSON.parse(line) as {
          message: string
          'otel.scope.name': string
          attributes: { value: unknown; action: string; directives: string }
        },
    )
  return {
    values: lines.filter(({ message }) => message === 'value').map(({ attributes }) => attributes.value),
    changes: lines
      .filter(({ message }) => message !== 'value')
      .map((line) => [line['otel.scope.name'], line.attributes.action, line.attributes.directives]),
  }
}

test('20 worker threads follow directives that were set or reverted between their start and their first logger', async () => {
  const { values } = await run(`
    const early = levelControl().set('worker=trace')
    const workers = await Promise.all(Array.from({ length: 20 }, () => startWorker()))
    early.revert()
    const change = levelControl().set('worker=debug', { forMillis: 60_000 })
    const all = async (level) => {
      const answers = await Promise.all(workers.map((worker) => worker.evaluate('log.isLevelEnabled("' + level + '")')))
      return [...new Set(answers)].join()
    }
    report(await until(true, () => all('debug')))
    report(await until(false, () => all('trace')))
    change.revert()
    report(await until(false, () => all('debug')))
    await Promise.all(workers.map((worker) => worker.terminate()))
  `)
  expect(values).toEqual([true, false, false])
}, 90_000)

test('directives of a worker thread that is terminated are reverted in the others, with one record of the main thread', async () => {
  const { values, changes } = await run(`
    levelControl()
    const [worker, other] = [await startWorker(), await startWorker()]
    await other.evaluate(isDebug)
    await worker.evaluate('levelControl().set("*=debug", { forMillis: 600_000 }).id')
    report([await until(true, isMainDebug), await until(true, () => other.evaluate(isDebug))])
    await worker.terminate()
    report([await until(false, isMainDebug), await until(false, () => other.evaluate(isDebug))])
    report(levelControl().describe().layers.length)
    await other.terminate()
  `)
  expect(values).toEqual([[true, true], [false, false], 0])
  // The worker was terminated before it wrote its own record.
  expect(changes.filter((change) => (change as string[])[0] === 'main')).toEqual([['main', 'reverted', '*=debug']])
}, 60_000)

test('directives of a worker thread that exits are reverted at once, and those of one that stays are kept', async () => {
  const { values, changes } = await run(`
    levelControl()
    const [worker, staying] = [await startWorker(), await startWorker()]
    await staying.evaluate('levelControl().set("other=debug").id')
    await worker.evaluate('levelControl().set("*=debug").id')
    report(await until(true, isMainDebug))
    worker.postMessage('process.exit()')
    await once(worker, 'exit')
    report(await until(false, isMainDebug, 100))
    await setTimeout(7_000)
    report(levelControl().describe().layers.map(({ directives }) => directives))
    await staying.terminate()
  `)
  expect(values).toEqual([true, false, ['other=debug']])
  expect(changes.filter((change) => (change as string[])[0] === 'main')).toEqual([['main', 'reverted', '*=debug']])
}, 60_000)

test('the newest directives win in all threads, also if a thread sets them before another one starts with SLUICE_LEVEL', async () => {
  const { values } = await run(`
    levelControl().set('worker=info')
    const worker = await startWorker({ env: { ...process.env, SLUICE_LEVEL: 'worker=trace' } })
    report(await worker.evaluate(isDebug))
    await worker.evaluate('levelControl().set("worker=trace").id')
    levelControl().set('worker=warn')
    report(await until(false, () => worker.evaluate('log.isLevelEnabled("info")')))
    await worker.terminate()
  `)
  expect(values).toEqual(['false', false])
}, 60_000)
