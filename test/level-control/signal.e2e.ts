import { expect, test } from '@jest/globals'
import { importOf, runModule } from '../support/processes/child.ts'

const imports =
  importOf('{ createLogger }', 'src/entries/index.ts') +
  importOf('{ toggleLevelsOnSignal }', 'src/entries/level-control.ts')

test('a real signal raises and lowers the level, and the listener does not keep the process alive', async () => {
  const { stdout, code } = await runModule(`${imports}
    import { setTimeout } from 'node:timers/promises'
    const log = createLogger({ level: 'warn' })
    toggleLevelsOnSignal('SIGUSR2', '*=debug')
    log.debug('before')
    process.kill(process.pid, 'SIGUSR2')
    await setTimeout(50)
    log.debug('between')
    process.kill(process.pid, 'SIGUSR2')
    await setTimeout(50)
    log.debug('after')
  `)
  const messages = stdout
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { message: string }).message)
  expect(messages).toEqual([
    expect.stringMatching(/^log level directives set by signal \(SIGUSR2\) until .*: \*=debug$/),
    'between',
    'log level directives reverted: *=debug',
  ])
  expect(code).toBe(0)
})
