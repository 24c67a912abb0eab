/**
 * Copies its standard input to its standard output. After a message with a number of bytes, it sends a message when it has
 * written that many.
 */
import { writeSync } from 'node:fs'

let written = 0
let due: number | undefined

process.stdin.on('data', (piece: Buffer) => {
  // A write can be short.
  for (let at = 0; at < piece.length;) at += writeSync(1, piece, at)
  written += piece.length
  reportWhenDone()
})
process.on('message', (bytes) => {
  due = bytes as number
  reportWhenDone()
})
process.send!('ready')

function reportWhenDone(): void {
  if (due === undefined || written < due) return
  due = undefined
  process.send!(written)
}
