// Reads the standard output of an application and checks every line. Writes an ArrivalReport as JSON to descriptor 3 when the
// output is closed.
import { writeSync } from 'node:fs'
import { Arrivals } from './arrivals.ts'
import { Lines } from './lines.ts'

const arrivals = new Arrivals()
const lines = new Lines((line) => arrivals.line(line))
process.stdin.on('data', (bytes: Buffer) => lines.feed(bytes))
process.stdin.on('end', () => {
  lines.end()
  writeSync(3, JSON.stringify(arrivals.report()))
})
