import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** What a program of work-*.ts is run with. */
interface WorkPlan {
  readonly argument: unknown
  readonly flags?: readonly string[]
  /** The command in front of it, for example a tracer. */
  readonly under?: readonly string[]
}

/**
 * Compilation and collections stay in the thread that is looked at, and happen at the same calls in each run. A background
 * thread would also wake the loop by write calls of its own.
 */
const oneThread = ['--single-threaded', '--expose-gc']
/** Nothing here is timed: this only ends a program that hangs, on a machine however busy. In ms. */
const timeout = 55_000

/**
 * Runs a program that counts work in a process of its own, and gives what it has printed.
 *
 * @throws what the program wrote to its standard error, when it fails.
 */
export async function countWork<T>(program: URL, { argument, flags = [], under = [] }: WorkPlan): Promise<T> {
  const node = [process.execPath, ...oneThread, ...flags, fileURLToPath(program), JSON.stringify(argument)]
  const [command, ...args] = [...under, ...node]
  // Options of the environment would change what is counted.
  const env = { ...process.env, NODE_OPTIONS: '' }
  const { stdout } = await promisify(execFile)(command!, args, { env, timeout, killSignal: 'SIGKILL' })
  return JSON.parse(stdout) as T
}
