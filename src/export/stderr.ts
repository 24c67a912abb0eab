import { writeSync } from 'node:fs'
import { writableDescriptor, type Descriptor } from './write/descriptor.ts'

let stderr: Descriptor | undefined

/** Writes a line to the standard error without ever waiting for its reader; what it does not take at once is lost. */
export function stderrLine(line: string): void {
  try {
    stderr ??= writableDescriptor(2)
    writeSync(stderr.fd, line)
  } catch {
    // closed, full or refused: there is nowhere left to tell it
  }
}
