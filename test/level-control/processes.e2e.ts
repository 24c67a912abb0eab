import { afterAll, beforeEach, describe, expect, test } from '@jest/globals'
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from '../support/files/pipes.ts'
import { importOfBuild, runModule, type ChildResult } from '../support/processes/child.ts'

const directory = temporaryDirectory()
afterAll(() => directory.remove())

const imports = importOfBuild('{ createLogger }', 'sluice') + importOfBuild('{ levelControl }', 'sluice/level-control')
const commonJs = (entry: string) => new URL(`../../dist/cjs/${entry}.js`, import.meta.url).pathname

/** Returns the messages that a program logs, without the records of changes. */
function messagesOf({ stdout, stderr }: ChildResult): string[] {
  expect(stderr).toBe('')
  return linesOf(stdout)
    .filter((line) => line['otel.event.name'] === undefined)
    .map(({ message }) => String(message))
}

function linesOf(stdout: string): Record<string, unknown>[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

describe('a process', () => {
  test('exits while directives with a time limit are set', async () => {
    const result = await runModule(`${imports}
      const log = createLogger({ level: 'info' })
      levelControl().set('debug', { forMillis: 600_000 })
      log.debug('debug')
    `)
    expect(result.code).toBe(0)
    expect(messagesOf(result)).toEqual(['debug'])
  })

  test('has one state for the ES module and the CommonJS build', async () => {
    const result = await runModule(`${imports}
      import { createRequire } from 'node:module'
      const require = createRequire(import.meta.url)
      const other = require(${JSON.stringify(commonJs('index'))})
      const control = require(${JSON.stringify(commonJs('level-control'))}).levelControl()
      const log = createLogger({ name: 'esm' })
      const otherLog = other.createLogger({ name: 'cjs' })
      const change = control.set('debug')
      log.debug('esm debug')
      otherLog.debug('cjs debug')
      change.revert()
      levelControl().set('cjs=trace')
      log.debug('no')
      otherLog.trace('cjs trace')
      console.error(JSON.stringify(control.describe().loggers.map(({ name, level }) => [name, level])))
    `)
    expect(result.stderr).toBe('[["cjs","trace"],["esm","info"]]\n')
    expect(messagesOf({ ...result, stderr: '' })).toEqual(['esm debug', 'cjs debug', 'cjs trace'])
  })

  test('keeps no memory of a million short-lived children with directives, and of 100,000 names', async () => {
    const result = await runModule(
      `${imports}
      import { setImmediate } from 'node:timers/promises'
      const log = createLogger({ level: 'info' })
      levelControl().set('[tenant=acme]=debug,request.*=info')
      async function createChildren(count, options) {
        for (let i = 0; i < count; i++) {
          log.child({ tenant: 't' + (i % 100) }, options(i)).debug('no')
          if (i % 10_000 === 0) await setImmediate()
        }
        for (let i = 0; i < 5; i++) {
          gc()
          await setImmediate()
        }
        return process.memoryUsage().heapUsed
      }
      const unnamed = () => undefined
      const before = await createChildren(100_000, unnamed)
      const afterUnnamed = await createChildren(1_000_000, unnamed)
      const afterNamed = await createChildren(100_000, (i) => ({ name: 'request.' + i }))
      const names = levelControl().describe().loggers.length
      console.error(JSON.stringify({ names, growth: [afterUnnamed - before, afterNamed - before] }))
    `,
      { env: { NODE_OPTIONS: '--expose-gc' }, timeoutMillis: 120_000 },
    )
    const { names, growth } = JSON.parse(result.stderr) as { names: number; growth: number[] }
    // The settings of the last names are cached.
    expect(names).toBeLessThan(500)
    for (const bytes of growth) expect(bytes).toBeLessThan(2 * 1024 * 1024)
  }, 150_000)
})

test('100,000 live children add nothing to the state that directives are kept in, and follow them at their next call', async () => {
  const result = await runModule(
    `${imports}
    const log = createLogger({ level: 'info' })
    const children = Array.from({ length: 100_000 }, (_, index) => log.child({ index }, { level: 'warn' }))
    const state = globalThis[Symbol.for('sluice/v1/level-layers')]
    const names = levelControl().describe().loggers.length
    const change = levelControl().set('debug')
    const enabled = children.filter((child) => child.isLevelEnabled('debug')).length
    change.revert()
    const enabledAfter = children.filter((child) => child.isLevelEnabled('info')).length
    console.error(JSON.stringify({ names, counters: state.counters.size, listeners: state.listeners.size, enabled, enabledAfter }))
  `,
    { timeoutMillis: 60_000 },
  )
  expect(JSON.parse(result.stderr)).toEqual({ names: 1, counters: 1, listeners: 1, enabled: 100_000, enabledAfter: 0 })
}, 60_000)

describe('SLUICE_LEVEL', () => {
  const program = `${imports}
    const log = createLogger({ name: 'app' })
    const db = log.child({}, { name: 'db.pool' })
    const fixed = createLogger({ name: 'db.fixed', level: 'warn' })
    log.debug('app debug')
    log.info('app info')
    db.debug('db debug')
    fixed.debug('fixed debug')
    log.child({ tenant: 'acme' }).trace('acme trace')
  `

  test.each([
    ['debug', ['app debug', 'app info', 'db debug']],
    ['warn,db.*=debug', ['db debug', 'fixed debug']],
    ['[tenant=acme]=trace', ['app info', 'acme trace']],
    ['*=debug', ['app debug', 'app info', 'db debug', 'fixed debug']],
  ])('%j sets the level of loggers without one in code, and directives for all', async (level, expected) => {
    expect(messagesOf(await runModule(program, { env: { SLUICE_LEVEL: level } }))).toEqual(expected)
  })

  test('applies to loggers with the API of pino', async () => {
    const pinoProgram = `${importOfBuild('{ pino }', 'sluice/pino')}
      pino({ name: 'app', base: null }).debug('debug')`
    const { stdout } = await runModule(pinoProgram, { env: { SLUICE_LEVEL: 'app=debug' } })
    expect(linesOf(stdout)).toMatchObject([{ msg: 'debug' }])
  })

  test('with an invalid directive has the valid ones, and the invalid one is reported with its position', async () => {
    const result = await runModule(program, { env: { SLUICE_LEVEL: 'warn,db.*=inof,[tenant=acme]=trace' } })
    expect(result.stderr).toBe(
      'sluice: SLUICE_ENV_INVALID: SLUICE_LEVEL at 10: unknown level "inof"; did you mean "info"?; the other directives are set\n',
    )
    expect(messagesOf({ ...result, stderr: '' })).toEqual(['acme trace'])
  })
})

test.each(['SLUICE_LEVEL', 'SLUICE_LEVEL_FILE'])(
  'a custom level in %s is reported while no logger has it, and applies to loggers with it that are created later',
  async (variable) => {
    const path = directory.path('custom-levels')
    writeFileSync(path, 'late=audit,early=warn')
    const result = await runModule(
      `${imports}
      const early = createLogger({ name: 'early' })
      const late = createLogger({ name: 'late', levels: { audit: 15 } })
      const other = createLogger({ name: 'late' })
      console.error(JSON.stringify([early, late, other].map((log) => log.isLevelEnabled('warn'))))
    `,
      { env: { [variable]: variable === 'SLUICE_LEVEL' ? 'late=audit,early=warn' : path } },
    )
    const lines = result.stderr.trim().split('\n')
    expect(lines).toHaveLength(2)
    expect(lines[0]).toContain('unknown level "audit"')
    expect(lines[1]).toBe('[true,false,true]')
  },
)

/** Returns a program that changes the file and logs the level of its logger when it has changed. */
const program = (steps: string) => `${imports}
  import { setTimeout } from 'node:timers/promises'
  import { writeFileSync, renameSync, rmSync, truncateSync, appendFileSync } from 'node:fs'
  const file = process.env.SLUICE_LEVEL_FILE
  const log = createLogger({ name: 'app', level: 'info' })
  const replace = (text) => { writeFileSync(file + '.new', text); renameSync(file + '.new', file) }
  const isEnabled = () => log.isLevelEnabled('debug')
  async function until(expected) {
    for (let i = 0; i < 200 && isEnabled() !== expected; i++) await setTimeout(25)
    log.info(isEnabled() ? 'debug' : 'info')
  }
  ${steps}
`

describe('SLUICE_LEVEL_FILE', () => {
  const file = directory.path('levels')
  beforeEach(() => rmSync(file, { force: true, recursive: true }))

  const env = { SLUICE_LEVEL_FILE: file }

  test('is read at the start, and followed when it is replaced, emptied, removed and created again', async () => {
    writeFileSync(file, 'app=debug')
    const result = await runModule(
      program(`
        log.info(isEnabled() ? 'debug' : 'info')
        replace('# nothing for app\\nother=debug\\n')
        await until(false)
        replace('other=info\\napp=debug\\n')
        await until(true)
        truncateSync(file)
        await until(false)
        appendFileSync(file, 'debug')
        await until(true)
        rmSync(file)
        await until(false)
        replace('app=debug')
        await until(true)
      `),
      { env, timeoutMillis: 40_000 },
    )
    expect(messagesOf({ ...result, stderr: '' })).toEqual(['debug', 'info', 'debug', 'info', 'debug', 'info', 'debug'])
    expect(result.stderr).toBe('')
    const changes = linesOf(result.stdout).filter((line) => line['otel.event.name'] === 'sluice.level_changed')
    expect(changes.map(({ attributes }) => (attributes as { action: string }).action)).toEqual([
      'set',
      'set',
      'reverted',
      'set',
      'reverted',
      'set',
    ])
    expect(changes[0]).toMatchObject({ attributes: { source: 'file', from: ['app=debug'] } })
  }, 60_000)

  test('follows the link to a directory that is replaced, as Kubernetes mounts configuration', async () => {
    const mount = directory.path('mount')
    for (const [name, text] of [
      ['one', 'app=debug'],
      ['two', 'app=info'],
    ]) {
      mkdirSync(join(mount, name!), { recursive: true })
      writeFileSync(join(mount, name!, 'levels'), text!)
    }
    symlinkSync('one', join(mount, 'data'))
    symlinkSync('data/levels', join(mount, 'levels'))
    symlinkSync('two', join(mount, 'data.new'))
    const result = await runModule(
      program(`
        log.info(isEnabled() ? 'debug' : 'info')
        renameSync(${JSON.stringify(join(mount, 'data.new'))}, ${JSON.stringify(join(mount, 'data'))})
        await until(false)
      `),
      { env: { SLUICE_LEVEL_FILE: join(mount, 'levels') }, timeoutMillis: 20_000 },
    )
    expect(messagesOf(result)).toEqual(['debug', 'info'])
  }, 30_000)

  test.each<[string, () => void, RegExp]>([
    ['a missing file', () => {}, /cannot be read \(ENOENT\); it sets no directives/],
    ['a directory', () => mkdirSync(file), /is not a file of at most 65536 bytes/],
    ['a file of more than 64 KiB', () => writeFileSync(file, 'debug\n'.repeat(11_000)), /is not a file of at most/],
    ['binary data', () => writeFileSync(file, Buffer.from([0, 1, 2, 255, 10])), /line 1, character 1: /],
    ['an empty file', () => writeFileSync(file, ''), /^$/],
    [
      'a half-written directive',
      () => writeFileSync(file, 'other=debug\n\napp=deb'),
      /line 3, character 5: .*"deb".*; the other directives are set/,
    ],
  ])('%s is reported, and sets nothing for the logger', async (_, create, message) => {
    create()
    const result = await runModule(program('await until(false)'), { env, timeoutMillis: 20_000 })
    expect(messagesOf({ ...result, stderr: '' })).toEqual(['info'])
    expect(result.stderr).toMatch(message)
  })

  test('does not keep the process alive', async () => {
    writeFileSync(file, 'debug')
    const result = await runModule(`${imports}\ncreateLogger().debug('debug')`, { env })
    expect(messagesOf(result)).toEqual(['debug'])
  })

  test('is followed by forked processes too', async () => {
    writeFileSync(file, 'app=info')
    const child = program(`
      process.send('ready')
      for (let i = 0; i < 200 && !isEnabled(); i++) await setTimeout(25)
      log.info('child ' + (isEnabled() ? 'debug' : 'info'))
      process.disconnect()
    `)
    const parent = program(`
      const { fork } = await import('node:child_process')
      const child = fork(process.env.PROGRAM, { stdio: 'inherit', execArgv: [] })
      child.once('message', () => replace('app=debug'))
      await new Promise((resolve) => child.once('exit', resolve))
      await until(true)
    `)
    const result = await runModule(parent, {
      env: { ...env, PROGRAM: writeProgram('fork.mjs', child) },
      timeoutMillis: 20_000,
    })
    expect(messagesOf(result).toSorted()).toEqual(['child debug', 'debug'])
  }, 30_000)
})

describe('worker threads', () => {
  test('follow the directives of the main thread, which are set before or after they start', async () => {
    const worker = writeProgram(
      'worker.mjs',
      `${importOfBuild('{ createLogger }', 'sluice')}
      import { parentPort } from 'node:worker_threads'
      const log = createLogger({ name: 'worker' })
      const report = () => parentPort.postMessage(log.isLevelEnabled('debug'))
      report()
      const timer = setInterval(report, 10)
      parentPort.on('message', () => { clearInterval(timer); parentPort.close() })
    `,
    )
    const result = await runModule(
      `${imports}
      import { Worker } from 'node:worker_threads'
      import { once } from 'node:events'
      const log = createLogger({ name: 'main' })
      const first = levelControl().set('worker=debug')
      const worker = new Worker(process.env.WORKER, { execArgv: [] })
      async function until(expected) {
        for (;;) {
          const [enabled] = await once(worker, 'message')
          if (enabled === expected) break
        }
        log.info(String(expected))
      }
      log.info('starts with ' + (await once(worker, 'message'))[0])
      first.revert()
      await until(false)
      levelControl().set('debug', { forMillis: 300 })
      await until(true)
      await until(false)
      worker.postMessage('stop')
      await once(worker, 'exit')
    `,
      { env: { WORKER: worker } },
    )
    expect(messagesOf(result)).toEqual(['starts with true', 'false', 'true', 'false'])
    const changes = linesOf(result.stdout).filter((line) => line['otel.event.name'] !== undefined)
    // Each change is reported once, by the thread that has made it.
    expect(changes.map((line) => [line['otel.scope.name'], (line['attributes'] as { action: string }).action])).toEqual(
      [
        ['main', 'set'],
        ['main', 'reverted'],
        ['main', 'set'],
        ['main', 'expired'],
      ],
    )
  }, 30_000)

  test('that run already follow a signal, and directives that replace others', async () => {
    const worker = writeProgram(
      'early-worker.mjs',
      `${importOfBuild('{ createLogger }', 'sluice')}
      import { parentPort } from 'node:worker_threads'
      const log = createLogger({ name: 'worker' })
      const timer = setInterval(() => parentPort.postMessage(log.isLevelEnabled('debug')), 10)
      parentPort.on('message', () => { clearInterval(timer); parentPort.close() })
    `,
    )
    const result = await runModule(
      `${importOfBuild('{ createLogger }', 'sluice')}
      ${importOfBuild('{ levelsHandler, toggleLevelsOnSignal }', 'sluice/level-control')}
      import { Worker } from 'node:worker_threads'
      import { once } from 'node:events'
      const log = createLogger({ name: 'main' })
      const worker = new Worker(process.env.WORKER, { execArgv: [] })
      await once(worker, 'message')
      async function until(expected) {
        for (;;) {
          const [enabled] = await once(worker, 'message')
          if (enabled === expected) break
        }
        log.info(String(expected))
      }
      const toggle = toggleLevelsOnSignal('SIGUSR2', '*=debug')
      process.kill(process.pid, 'SIGUSR2')
      await until(true)
      process.kill(process.pid, 'SIGUSR2')
      await until(false)
      const levels = levelsHandler({ token: 'correct-horse-battery-staple' })
      const send = (method, body) =>
        levels(new Request('http://here/levels' + (method === 'PUT' ? '?forever=true' : ''), {
          method,
          headers: { authorization: 'Bearer correct-horse-battery-staple', 'content-type': 'text/plain' },
          body,
        }))
      await send('PUT', '*=debug')
      await send('PUT', '*=debug')
      await until(true)
      await send('DELETE')
      await until(false)
      toggle.stop()
      worker.postMessage('stop')
      await once(worker, 'exit')
    `,
      { env: { WORKER: worker } },
    )
    expect(messagesOf(result)).toEqual(['true', 'false', 'true', 'false'])
  }, 30_000)
})

function writeProgram(name: string, text: string): string {
  const path = directory.path(name)
  writeFileSync(`${path}.new`, text)
  renameSync(`${path}.new`, path)
  return path
}
