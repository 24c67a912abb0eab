// Reads what an application writes to its standard output, and looks at every line. Argument: a JSON array of nothing yet.
// What is wrong is told at once, and all of it when nobody writes any more, as lines on descriptor 3.
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
