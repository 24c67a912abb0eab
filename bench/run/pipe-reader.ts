/** Reads its standard input in pieces of at most 1 MiB, which a pipe of 64 KiB never fills, and checks it at the end. */
import { readSync } from 'node:fs'
import type { Job } from '../methods/method.ts'
import { checkLines, type Verdict } from './check-lines.ts'
import type { Stall } from './destination.ts'

const pieceLength = 1 << 20
const lineFeed = 10

const job = JSON.parse(process.argv[2]!) as Job
const stall = JSON.parse(process.argv[3]!) as Stall | null
const furtherLength = 16 << 20
// Filled, so that its pages are allocated before the timed part of the writer. Full buffers are not copied, because
// copying would slow down the reader.
let buffer = Buffer.alloc(128 << 20, 1)
let length = 0
const full: Buffer[] = []
/** The number of lines until the pause. */
let linesToStall = stall?.afterLines ?? Infinity

process.send!({ ready: true })
while (readPiece() > 0) continue
const verdict = await checkLines(Buffer.concat([...full, buffer.subarray(0, length)]), job)
const awake = stall !== null && linesToStall > 0 ? ['the reader did not sleep'] : []
process.send!({ ...verdict, problems: [...verdict.problems, ...awake] } satisfies Verdict)

function readPiece(): number {
  if (buffer.length - length < pieceLength) {
    full.push(buffer.subarray(0, length))
    buffer = Buffer.allocUnsafeSlow(furtherLength)
    length = 0
  }
  const read = readSync(0, buffer, length, pieceLength, null)
  if (stall !== null && linesToStall > 0) stallAfter(buffer.subarray(length, length + read), stall.millis)
  length += read
  return read
}

function stallAfter(piece: Buffer, millis: number): void {
  for (let at = piece.indexOf(lineFeed); at >= 0; at = piece.indexOf(lineFeed, at + 1)) linesToStall--
  if (linesToStall <= 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, millis)
}
