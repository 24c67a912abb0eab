// Compares two files of JSON lines that should be equal: the number of lines of each level, and each line apart from its
// time.
//
//   node compare-logs.ts pino.log sluice.log        compares every line
//   node compare-logs.ts pino.log sluice.log 100    compares one line in a hundred, and counts all of them
import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'

/** Reads the lines of a file. A missing file has none. */
async function* linesOf(path: string): AsyncGenerator<string, undefined> {
  if (!existsSync(path)) return
  const file = await open(path)
  try {
    yield* file.readLines()
  } finally {
    await file.close()
  }
}

/** Returns the level of a line. Lines that are not JSON, such as incomplete lines, are counted separately. */
function levelOf(line: string): string {
  try {
    return String((JSON.parse(line) as { level?: unknown }).level)
  } catch {
    return 'no JSON'
  }
}

const withoutTime = (line: string): string => line.replace(/"time":(?:\d+|"[^"]*")/, '"time":0')

const [one, other, every = '1'] = process.argv.slice(2)
if (one === undefined || other === undefined) {
  console.log('node compare-logs.ts <file> <file> [every]')
} else {
  /** The number of lines of each file, by level. */
  const counts = new Map<string, [number, number]>()
  const unequal: [string, string][] = []
  let compared = 0
  const [left, right] = [linesOf(one), linesOf(other)]
  for (let number = 0; ; number++) {
    const lines = await Promise.all([left.next(), right.next()])
    for (const [side, { value }] of lines.entries()) {
      if (value === undefined) continue
      const level = levelOf(value)
      const count = counts.get(level) ?? [0, 0]
      count[side === 0 ? 0 : 1]++
      counts.set(level, count)
    }
    const [a, b] = [lines[0].value, lines[1].value]
    if (a === undefined && b === undefined) break
    // If one file has fewer lines, the last lines of the other have no counterpart. The counts show the difference.
    if (a === undefined || b === undefined || number % Number(every) !== 0) continue
    compared++
    if (withoutTime(a) !== withoutTime(b)) unequal.push([a, b])
  }
  console.log(`level: ${one}, ${other}`)
  for (const [level, [a, b]] of [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    console.log(`${level}: ${a}, ${b}${a === b ? '' : ' (!)'}`)
  console.log(`${compared} lines compared, ${unequal.length} unequal`)
  for (const lines of unequal.slice(0, 3)) console.log(lines.join('\n'))
  if (unequal.length > 0 || [...counts.values()].some(([a, b]) => a !== b)) process.exitCode = 1
}
