// Prints a burst to a captured console and dies. Arguments as JSON: see ExitProgram in exits.ts; signal-exit is left out.
import { writeSync } from 'node:fs'
import { captureConsole } from '../../../../src/entries/console.ts'
import type { ExitProgram } from '../exits.ts'

const { way, file, records, exitTimeoutMillis } = JSON.parse(process.argv[2]!) as ExitProgram

captureConsole({ exitTimeoutMillis, ...(file === undefined ? {} : { path: file }) })
for (let seq = 0; seq < records; seq++) console.log('%d %s', seq, 'x'.repeat(240))
writeSync(2, `dying ${Date.now()}\n`)
switch (way) {
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
    process.kill(process.pid, way)
}
