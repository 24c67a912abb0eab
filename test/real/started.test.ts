import { expect, test } from '@jest/globals'
import { startProgram } from '../support/processes/start-program.ts'

const idle = 'setInterval(() => {}, 1000);'
const run = (program: string) => startProgram({ command: process.execPath, args: ['--eval', program], ready: /ready/ })

test('startProgram resolves when the program prints its ready text, and stop resolves when it has ended', async () => {
  const program = await run(`${idle} process.stderr.write('rea'); setImmediate(() => process.stderr.write('dy'))`)
  expect(program.output()).toBe('ready')
  await program.stop()
  await expect(program.ended).resolves.toBe('SIGTERM')
  expect(() => process.kill(program.pid, 0)).toThrow('ESRCH')
})

test('startProgram rejects with the output of a program that ends before it is ready', async () => {
  await expect(run(`console.log('no port'); process.exit(3)`)).rejects.toThrow(/exited with 3:\nno port/)
})

test('startProgram reports each line that a program writes to file descriptor 3', async () => {
  const lines: string[] = []
  const program = await startProgram({
    command: process.execPath,
    args: ['--eval', `require('fs').writeSync(3, 'a\\nb\\n'); console.log('ready')`],
    ready: /ready/,
    onReport: (line) => lines.push(line),
  })
  await program.ended
  expect(lines).toEqual(['a', 'b'])
})
