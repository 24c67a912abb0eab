/**
 * Writes its standard input to its standard output. Told how many bytes there will be, it says so once it has written
 * that many.
 */
import { writeSync } from 'node:fs'

let written = 0
let due: number | undefined

process.stdin.on('data', (piece: Buffer) => {
  // The system may take a part of it only.
  for (let at = 0; at < piece.length;) at += writeSync(1, piece, at)
  written += piece.length
  answer()
})
process.on('message', (bytes) => {
  due = bytes as number
  answer()
})
process.send!('ready')

function answer(): void {
  if (due === undefined || written < due) return
  due = undefined
  process.send!(written)
}
