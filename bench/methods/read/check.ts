import { closeSync, openSync, readSync } from 'node:fs'
import type { LogFile } from './log-lines.ts'
import type { ReadTask } from './variant.ts'

/** In each line of the files once, and in the output for it. */
const sign = Buffer.from('GET ')
const timeLength = '{"timestamp":"2026-01-01T00:00:00.000Z'.length
const pieceBytes = 4_194_304

/** Returns what is wrong with the output of a program: a wrong number of records, or a wrong order. */
export function problemsOfOutput(task: ReadTask, logs: readonly LogFile[], output: string): string[] {
  const sum = (count: (log: LogFile) => number): number => logs.reduce((all, log) => all + count(log), 0)
  const expected =
    task === 'level' ? sum(({ errors }) => errors) : task === 'trace' ? logs[0]!.tracedLines : sum(({ lines }) => lines)
  let records = 0
  let isOrdered = true
  let lastTime = ''
  for (const piece of piecesOf(output)) {
    for (let at = piece.indexOf(sign); at >= 0; at = piece.indexOf(sign, at + 1)) records++
    if (task !== 'sort') continue
    for (let start = 0; start < piece.length; start = piece.indexOf(10, start) + 1) {
      const time = piece.toString('latin1', start, start + timeLength)
      isOrdered &&= time >= lastTime
      lastTime = time
    }
  }
  return [
    ...(records === expected ? [] : [`its output has ${records} of ${expected} records`]),
    ...(isOrdered ? [] : ['its output is not in order']),
  ]
}

/** Yields a file in pieces of whole lines. */
function* piecesOf(path: string): Generator<Buffer> {
  const fd = openSync(path, 'r')
  let rest: Buffer = Buffer.alloc(0)
  for (;;) {
    const bytes = Buffer.allocUnsafe(pieceBytes)
    const count = readSync(fd, bytes)
    if (count === 0) break
    const piece = Buffer.concat([rest, bytes.subarray(0, count)])
    const end = piece.lastIndexOf(10) + 1
    rest = piece.subarray(end)
    if (end > 0) yield piece.subarray(0, end)
  }
  closeSync(fd)
  if (rest.length > 0) yield Buffer.concat([rest, Buffer.from('\n')])
}
