import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { ParsedArguments } from '../options/parse-arguments.ts'

/** Shows the records of the files, and returns the exit code. */
export async function runView({ operands }: ParsedArguments): Promise<number> {
  const files = operands.length === 0 ? ['-'] : operands
  for (const file of files) {
    const input = file === '-' ? process.stdin : createReadStream(file)
    await pipeline(input, process.stdout, { end: false })
  }
  return 0
}
