// Writes the lines of the files in its arguments to standard output, sorted, and the greatest resident set in kB to standard error.
import { writeSync } from 'node:fs'
import { sortRecords } from '../../../src/read/sort/sort-records.ts'
import { peakMemory } from '../../support/processes/peak-memory.ts'

const onInputError = (file: string, message: string): void => console.error(`${file}: ${message}`)
for await (const records of sortRecords(process.argv.slice(2), { onInputError })) {
  const bytes = Buffer.concat(records.map(({ raw }) => raw))
  for (let written = 0; written < bytes.length;) written += writeSync(1, bytes, written)
}
console.error(peakMemory() / 1_024)
