import { expect, test } from '@jest/globals'
import { start } from '../support/processes/started.ts'

const idle = 'setInterval(() => {}, 1000);'
const run = (program: string) => start({ command: process.execPath, args: ['--eval', program], ready: /ready/ })

test('a program is there once it has said that it is ready, and gone once it is stopped', async () => {
  const program = await run(`${idle} process.stderr.write('rea'); setImmediate(() => process.stderr.write('dy'))`)
  expect(program.said()).toBe('ready')
  await program.stop()
  await expect(program.ended).resolves.toBe('SIGTERM')
  expect(() => process.kill(program.pid, 0)).toThrow('ESRCH')
})

test('a program that ends before it is ready is told with what it said', async () => {
  await expect(run(`console.log('no port'); process.exit(3)`)).rejects.toThrow(/ended with 3:\nno port/)
})

test('what a program writes to its descriptor 3 is reported line by line', async () => {
  const lines: string[] = []
  const program = await start({
    command: process.execPath,
    args: ['--eval', `require('fs').writeSync(3, 'a\\nb\\n'); console.log('ready')`],
    ready: /ready/,
    reports: (line) => lines.push(line),
  })
  await program.ended
  expect(lines).toEqual(['a', 'b'])
})
