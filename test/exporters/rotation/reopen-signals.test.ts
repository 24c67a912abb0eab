import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { importOf, runModule } from '../../support/processes/child.ts'
import { temporaryDirectory, type TemporaryDirectory } from '../../support/files/pipes.ts'

let directory: TemporaryDirectory
beforeAll(() => {
  directory = temporaryDirectory()
})
afterAll(() => directory.remove())

const imports =
  importOf('{ createLogger }', 'src/entries/index.ts') + importOf('{ fileExporter }', 'src/entries/exporters.ts')

function place(name: string): string {
  mkdirSync(directory.path(name))
  return directory.path(join(name, 'app.log'))
}

const messages = (path: string): string[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { message: string }).message)

describe.each(['SIGHUP', 'SIGUSR2'])('reopenOn %s', (signal) => {
  test('the signal of reopenOn switches to a new file and does not end the process', async () => {
    const path = place(`alive-${signal}`)
    const text = `${imports}
      import { renameSync } from 'node:fs'
      import { setTimeout } from 'node:timers/promises'
      const path = ${JSON.stringify(path)}
      const log = createLogger({ exporter: fileExporter({ path, reopenOn: '${signal}' }) })
      log.info('before')
      await log.flush()
      renameSync(path, path + '.1')
      log.info('queued')
      process.kill(process.pid, '${signal}')
      await setTimeout(50)
      log.info('after')
      process.exitCode = 5`
    expect(await runModule(text)).toMatchObject({ code: 5, signal: null, stderr: '' })
    expect([...messages(`${path}.1`), ...messages(path)]).toEqual(['before', 'queued', 'after'])
    expect(messages(`${path}.1`)[0]).toBe('before')
    expect(messages(path).at(-1)).toBe('after')
  })

  test('many files share one signal listener, which is removed when all are shut down', async () => {
    const path = place(`gone-${signal}`)
    const text = `${imports}
      const path = ${JSON.stringify(path)}
      const of = (index) => createLogger({ exporter: fileExporter({ path: path + index, reopenOn: '${signal}' }) })
      const before = process.listenerCount('${signal}')
      const logs = Array.from({ length: 20 }, (_, index) => of(index))
      const during = process.listenerCount('${signal}')
      for (const log of logs) await log.shutdown()
      console.log(before, during, process.listenerCount('${signal}'))
      setInterval(() => {}, 1_000)
      process.kill(process.pid, '${signal}')`
    // The exit guard listens to SIGHUP as well.
    const listeners = signal === 'SIGHUP' ? 2 : 1
    expect(await runModule(text)).toMatchObject({ code: null, signal, stdout: `0 ${listeners} 0\n`, stderr: '' })
  })
})

test('a worker thread, which receives no signals, detects a renamed file', async () => {
  const path = place('worker')
  const text = `${imports}
    import { existsSync, renameSync } from 'node:fs'
    import { setTimeout } from 'node:timers/promises'
    import { Worker, isMainThread } from 'node:worker_threads'
    const path = ${JSON.stringify(path)}
    const code = ${JSON.stringify(
      `${imports}
      const log = createLogger({ exporter: fileExporter({ path: ${JSON.stringify(path)}, reopenOn: 'SIGHUP' }) })
      let n = 0
      const timer = setInterval(() => log.info('message', { n: n++ }), 5)
      setTimeout(() => clearInterval(timer), 2_600)`,
    )}
    const worker = new Worker(code, { eval: true })
    while (!existsSync(path)) await setTimeout(5)
    await setTimeout(100)
    renameSync(path, path + '.1')
    await new Promise((resolve) => worker.once('exit', resolve))`
  expect(await runModule(text)).toMatchObject({ code: 0, stderr: '' })
  const lines = [path + '.1', path].map((file) => readFileSync(file, 'utf8').trimEnd().split('\n'))
  const numbers = lines.flat().map((line) => (JSON.parse(line) as { attributes: { n: number } }).attributes.n)
  expect(numbers).toEqual(numbers.map((_, index) => index))
  expect(lines[1]!.length).toBeGreaterThan(10)
})
