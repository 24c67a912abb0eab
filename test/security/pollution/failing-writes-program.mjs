// Causes write errors while one name after another is on a prototype. Prints the error codes that differ from the system's, as JSON.
import { openSync, readFileSync } from 'node:fs'
import { writeSync } from '../../../src/platform/node/write-sync.ts'
import { errorCode } from '../../../src/exporters/fd/write-errors.ts'
import { pollute } from './pollute.mjs'

const { names, kinds } = JSON.parse(readFileSync(0, 'utf8'))
// A descriptor that is not open for writing.
const fd = openSync('.', 'r')
const bytes = Buffer.from('line\n')

function codeOfFailure() {
  try {
    return `wrote ${writeSync(fd, bytes)} bytes`
  } catch (error) {
    return errorCode(error)
  }
}

const failures = []
for (const kind of kinds) {
  for (const name of names) {
    const restore = pollute('object', kind, [name])
    const code = codeOfFailure()
    restore()
    if (code !== 'EBADF') failures.push(`${code} with ${name} as ${kind}`)
  }
}
console.log(JSON.stringify(failures))
