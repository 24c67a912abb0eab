import { execFileSync } from 'node:child_process'
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { WriteFault } from './faults.ts'

/** The writes of one process, which can be made to fail while it runs. */
export interface WriteFaults {
  /** The environment of the process, in addition to the library in `LD_PRELOAD`. */
  readonly env: Readonly<Record<string, string>>
  /** What happens to its writes from now on; undefined: nothing. */
  set(on: 'file' | 'stdout', fault: WriteFault | undefined): void
  close(): void
}

/** Whether there is a compiler. */
export function canFailWrites(): boolean {
  try {
    execFileSync('cc', ['--version'], { stdio: 'ignore' })
    return process.platform === 'linux'
  } catch {
    return false
  }
}

/** Compiles the library. */
export function compileWriteFaults(library: string): void {
  const source = fileURLToPath(new URL('write-faults.c', import.meta.url))
  execFileSync('cc', ['-O1', '-shared', '-fPIC', '-o', library, source, '-ldl'], { stdio: 'pipe' })
}

const FIELDS = 6

/** Makes the control file of a process. */
export function writeFaults(control: string): WriteFaults {
  writeFileSync(control, Buffer.alloc(2 * FIELDS * 4))
  const fd = openSync(control, 'r+')
  return {
    env: { WRITE_FAULTS: control },
    set(on, fault) {
      const error = fault?.error === undefined ? 0 : constants.errno[fault.error]
      const fields = fault === undefined ? [] : [1, error, fault.every, fault.room, fault.most, fault.delayMicros]
      const bytes = Int32Array.from({ length: FIELDS }, (_, index) => fields[index] ?? 0)
      // The process has the file mapped, so it sees this at once.
      writeSync(fd, bytes, 0, bytes.byteLength, on === 'file' ? 0 : bytes.byteLength)
    },
    close: () => closeSync(fd),
  }
}
