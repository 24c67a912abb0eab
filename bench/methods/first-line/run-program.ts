import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, watch } from 'node:fs'
import { cpuOfChildren } from '../program/children.ts'
import { environment } from '../../run/process.ts'
import type { Bench } from '../method.ts'
import type { FirstLineVariant } from './variant.ts'

export interface FirstLine {
  /** The time from the start until a complete line is in the file, in ms. NaN if there was none at exit. */
  readonly took: number
  /** CPU time of the program, in ms. Undefined on systems that do not count it. */
  readonly cpu: number | undefined
  readonly bytes: Buffer
}

/** Starts a program whose standard output is a new file, and watches the file. */
export async function runProgram(
  text: string,
  cwd: string,
  { by, compileCache }: Pick<FirstLineVariant, 'by' | 'compileCache'>,
  path: string,
  cache: string,
  { signal }: Bench,
): Promise<FirstLine> {
  const { NODE_COMPILE_CACHE: _, ...env } = environment()
  const fd = openSync(path, 'w')
  const watcher = watch(path)
  let took = NaN
  const cpu = cpuOfChildren()
  const start = performance.now()
  watcher.on('change', () => {
    if (Number.isNaN(took) && readFileSync(path).includes(0x0a)) took = performance.now() - start
  })
  const child = spawn(process.execPath, [`--input-type=${by === 'import' ? 'module' : 'commonjs'}`, '--eval', text], {
    cwd,
    stdio: ['ignore', fd, 'inherit'],
    env: { ...env, ...(compileCache && { NODE_COMPILE_CACHE: cache }) },
    signal,
    killSignal: 'SIGKILL',
  })
  closeSync(fd)
  try {
    const [code] = (await once(child, 'exit')) as [number | null]
    if (code !== 0) throw new Error(`the program exited with code ${code}`)
  } finally {
    watcher.close()
  }
  const cpuAfter = cpuOfChildren()
  return {
    took,
    cpu: cpu === undefined || cpuAfter === undefined ? undefined : cpuAfter - cpu,
    bytes: readFileSync(path),
  }
}
