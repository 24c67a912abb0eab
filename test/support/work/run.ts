import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** The options of a program. */
interface WorkPlan {
  readonly argument: unknown
  readonly flags?: readonly string[]
  /** A command that runs the program, such as a tracer. */
  readonly under?: readonly string[]
}

/**
 * Compilation and collections stay in the measured thread and happen at the same calls in each run. Background threads would also
 * wake the event loop by write calls.
 */
const oneThread = ['--single-threaded', '--expose-gc']
/** The timeout of a program that hangs, in ms. It is long, because a machine may be busy. */
const timeout = 55_000

/**
 * Runs a program that counts work in a separate process, and returns its output.
 *
 * @throws the standard error of the program if it fails.
 */
export async function countWork<T>(program: URL, { argument, flags = [], under = [] }: WorkPlan): Promise<T> {
  const node = [process.execPath, ...oneThread, ...flags, fileURLToPath(program), JSON.stringify(argument)]
  const [command, ...args] = [...under, ...node]
  // NODE_OPTIONS would change the counts.
  const env = { ...process.env, NODE_OPTIONS: '' }
  const { stdout } = await promisify(execFile)(command!, args, { env, timeout, killSignal: 'SIGKILL' })
  return JSON.parse(stdout) as T
}
