import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Returns a command that runs another one and traces its writes to files `<traces>.<thread>`. */
export function straceCommand(traces: string): string[] {
  return ['strace', '-ff', '-qqq', '-y', '-xx', '-s', '1000000', '-e', 'trace=write,writev', '-o', traces]
}

/** A call of write(2). */
export interface TracedWrite {
  readonly bytes: Buffer
  /** undefined: the call failed. */
  readonly written: number | undefined
}

/** Returns the write calls of all threads and processes to a path. */
export function tracedWrites(traces: string, path: string): TracedWrite[] {
  const files = readdirSync(dirname(traces)).map((name) => join(dirname(traces), name))
  const text = files.filter((file) => file.startsWith(`${traces}.`)).map((file) => readFileSync(file, 'latin1'))
  const lines = text
    .join('')
    .split('\n')
    .filter((line) => line.includes(`<${path}>`) || line.includes(hexOf(path)))
  return lines.map((line) => {
    const [, hex, , result] = /^write\(\d+<[^>]*>, "([\\x0-9a-f]*)", (\d+)\) += (-?\d+)/.exec(line)!
    return {
      bytes: Buffer.from(hex!.replaceAll('\\x', ''), 'hex'),
      written: Number(result) < 0 ? undefined : Number(result),
    }
  })
}

function hexOf(path: string): string {
  return `<${Array.from(Buffer.from(path), (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}>`
}
