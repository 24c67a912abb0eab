// Prints a burst to a captured console and exits. Argument: ExitProgramOptions as JSON; signalExit is ignored.
import { writeSync } from 'node:fs'
import { captureConsole } from '../../../../src/entries/console.ts'
import type { ExitProgramOptions } from '../exits.ts'

const { cause, file, records, exitTimeoutMillis } = JSON.parse(process.argv[2]!) as ExitProgramOptions

captureConsole({ exitTimeoutMillis, ...(file === undefined ? {} : { path: file }) })
for (let seq = 0; seq < records; seq++) console.log('%d %s', seq, 'x'.repeat(240))
writeSync(2, `dying ${Date.now()}\n`)
switch (cause) {
  case 'end':
    break
  case 'exit':
    process.exit(3)
    break
  case 'throw':
    throw new Error('mine')
  case 'rejection':
    void Promise.reject(new Error('mine'))
    break
  default:
    setInterval(() => {}, 1_000)
    process.kill(process.pid, cause)
}
