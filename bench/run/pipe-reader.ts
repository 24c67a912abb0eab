/** Reads its standard input in pieces of 1 MiB at most, which a pipe of 64 KiB never fills, and judges it at the end. */
import { readSync } from 'node:fs'
import type { Job } from '../methods/method.ts'
import { checkLines } from './check-lines.ts'

const pieceLength = 1 << 20

const job = JSON.parse(process.argv[2]!) as Job
// Filled, so that its pages are there before the clock of the writer starts.
let buffer = Buffer.alloc(128 << 20, 1)
let length = 0

process.send!({ ready: true })
while (readPiece() > 0) continue
process.send!(await checkLines(buffer.subarray(0, length), job))

function readPiece(): number {
  if (buffer.length - length < pieceLength) buffer = Buffer.concat([buffer, Buffer.alloc(buffer.length)])
  const read = readSync(0, buffer, length, pieceLength, null)
  length += read
  return read
}
