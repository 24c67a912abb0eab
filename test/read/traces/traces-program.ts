// Writes the lines of standard input that are in a trace with an error.
import { readTraces } from '../../../src/read/traces/read-traces.ts'

const onInputError = (file: string, message: string): void => console.error(`${file}: ${message}`)
for await (const records of readTraces(['-'], ({ level }) => level === 'error', { onInputError })) {
  process.stdout.write(Buffer.concat(records.map(({ raw }) => raw)))
}
