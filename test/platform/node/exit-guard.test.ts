import { spawnSync } from 'node:child_process'
import { describe, expect, test } from '@jest/globals'
import { needs } from '../../support/needs.ts'
import { importOf, runChild, runModule } from '../../support/processes/child.ts'

// Each program guards one pipeline that prints its calls directly to the descriptor.
const guarded = `
  ${importOf('{ guardExit }', 'src/platform/node/exit-guard.ts')}
  import { writeSync } from 'node:fs'
  const print = (text) => writeSync(1, text + '\\n')
  const pipeline = (options) => ({
    drain: (deadline, occasion) => print(occasion),
    afterExit: () => print('after'),
    handleSignals: true,
    exitTimeoutMillis: 500,
    ...options,
  })
`
const one = `${guarded}
  const release = guardExit(pipeline())
`
const ready = `print('ready'); setInterval(() => {}, 1_000);`

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '' && line !== 'ready')
}

describe('process exit without a signal', () => {
  test.each([
    ['normally', '', 0, ''],
    ['by process.exit', 'process.exit(3)', 3, ''],
    ['by its exit code', 'process.exitCode = 4', 4, ''],
    ['by an uncaught exception', 'throw new Error("mine")', 1, 'Error: mine'],
    ['by an unhandled rejection', 'Promise.reject(new Error("mine"))', 1, 'Error: mine'],
  ])('a process that ends %s drains once and keeps its exit code', async (_way, end, code, message) => {
    const ended = await runModule(one + end)
    expect(lines(ended.stdout)).toEqual(['exit', 'after'])
    expect(ended).toMatchObject({ code, signal: null, stderr: expect.stringContaining(message) })
  })

  test('a drain that throws does not stop the exit', async () => {
    const ended = await runModule(`${guarded}
      guardExit(pipeline({ drain() { throw new Error('hidden') } }))
      process.exit(5)`)
    expect(ended).toMatchObject({ code: 5, stderr: '', stdout: 'after\n' })
  })

  test('every pipeline is drained without waiting before any drain may wait', async () => {
    const ended = await runModule(`${guarded}
      for (const name of 'ab') guardExit(pipeline({
        drain: (deadline, occasion) => print(name + ' ' + occasion + ' ' + (deadline > performance.now())),
        afterExit() {},
      }))`)
    expect(lines(ended.stdout)).toEqual([
      'a withoutBlocking false',
      'b withoutBlocking false',
      'a exit true',
      'b exit true',
    ])
  })

  test('a pipeline that is added during the exit is notified that the exit drain is over', async () => {
    const ended = await runModule(`${one}
      process.on('exit', () => guardExit(pipeline({ afterExit: () => print('late') })))`)
    expect(lines(ended.stdout)).toEqual(['exit', 'after', 'late'])
  })
})

describe('a signal', () => {
  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    '%s without another handler drains the pipelines and ends the process by the signal',
    async (signal) => {
      const ended = await runModule(one + ready, { signal })
      expect(lines(ended.stdout)).toEqual(['exit', 'after'])
      expect(ended).toMatchObject({ code: null, signal })
    },
  )

  const signalExit = `;(await import('signal-exit')).onExit(() => print('their exit'));`
  test.each([
    ['before', guarded + signalExit + 'guardExit(pipeline());'],
    ['after', one + signalExit],
  ])('a signal ends the process when signal-exit is loaded %s this package', async (_order, program) => {
    const ended = await runModule(program + ready, { signal: 'SIGTERM' })
    expect(lines(ended.stdout)).toEqual(['signal', 'their exit'])
    expect(ended).toMatchObject({ code: null, signal: 'SIGTERM' })
  })

  test('a signal with a listener of the program does not end the process, and each signal drains', async () => {
    const ended = await runModule(
      `${one}
      let times = 0
      process.on('SIGTERM', () => {
        print('theirs')
        if (++times === 2) process.exit(6)
        setTimeout(() => process.kill(process.pid, 'SIGTERM'), 1)
      })
      ${ready}`,
      { signal: 'SIGTERM' },
    )
    expect(lines(ended.stdout)).toEqual(['signal', 'theirs', 'signal', 'theirs', 'exit', 'after'])
    expect(ended).toMatchObject({ code: 6, signal: null })
  })

  test('a signal with a once listener of the program does not end the process', async () => {
    const ended = await runModule(
      `${one}
      process.once('SIGTERM', () => setTimeout(() => process.exit(7), 10))
      ${ready}`,
      { signal: 'SIGTERM' },
    )
    expect(lines(ended.stdout)).toEqual(['signal', 'exit', 'after'])
    expect(ended).toMatchObject({ code: 7, signal: null })
  })

  test('a signal and an exit in the same turn share one deadline', async () => {
    const ended = await runModule(
      `${guarded}
      const deadlines = []
      guardExit(pipeline({ drain: (deadline) => deadlines.push(deadline), afterExit: () => print(deadlines[1] - deadlines[0]) }))
      process.on('SIGTERM', () => process.exit())
      ${ready}`,
      { signal: 'SIGTERM' },
    )
    expect(lines(ended.stdout)).toEqual(['0'])
  })

  test('signals are not handled when no pipeline requires it, nor after the last pipeline is released', async () => {
    const off = await runModule(`${guarded} guardExit(pipeline({ handleSignals: false })); ${ready}`, {
      signal: 'SIGTERM',
    })
    expect(off).toMatchObject({ stdout: 'ready\n', signal: 'SIGTERM' })
    const released = await runModule(`${one} release(); release(); ${ready}`, { signal: 'SIGTERM' })
    expect(released).toMatchObject({ stdout: 'ready\n', signal: 'SIGTERM' })
  })

  test('signals are not handled in a worker thread', async () => {
    const worker = `${one} print(process.listenerCount('SIGTERM') + process.listenerCount('SIGINT'))`
    const url = JSON.stringify(`data:text/javascript,${encodeURIComponent(worker)}`)
    const ended = await runModule(`
      import { Worker } from 'node:worker_threads'
      new Worker(new URL(${url}))`)
    expect(lines(ended.stdout)).toEqual(['0', 'exit', 'after'])
  })

  const namespaced = needs('unshare --pid', spawnSync('unshare', ['--pid', '--fork', 'true']).status === 0)
  namespaced('a signal does not end PID 1', async () => {
    const ended = await runChild({
      command: 'unshare',
      args: [
        '--pid',
        '--fork',
        process.execPath,
        '--input-type=module',
        '--eval',
        `${one}
        let turns = 0
        const timer = setInterval(() => {
          if (++turns < 3) process.kill(process.pid, 'SIGTERM')
          else clearInterval(timer)
        }, 5)`,
      ],
    })
    expect(lines(ended.stdout)).toEqual(['signal', 'signal', 'exit', 'after'])
    expect(ended).toMatchObject({ code: 0, signal: null })
  })
})

// Requirements: D29
test('two copies of this package share one set of listeners', async () => {
  const url = new URL('../../../src/platform/node/exit-guard.ts', import.meta.url).href
  const ended = await runModule(`${one}
    const other = await import(${JSON.stringify(`${url}?copy`)})
    other.guardExit(pipeline())
    print(['exit', 'SIGTERM', 'SIGINT', 'SIGHUP', 'uncaughtException'].map((event) => process.listenerCount(event)).join())`)
  expect(lines(ended.stdout)).toEqual([
    '1,1,1,1,0',
    'withoutBlocking',
    'withoutBlocking',
    'exit',
    'exit',
    'after',
    'after',
  ])
})
