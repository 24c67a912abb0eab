import { spawn, type StdioOptions } from 'node:child_process'

/** How a child process ended and what it said. */
export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
  /** From start to end, ms. */
  readonly elapsed: number
}

/** What is done with a child while it runs. */
export interface ChildPlan {
  readonly command?: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly stdio?: StdioOptions
  readonly cwd?: string
  /** Sent once the child has said `ready` on its standard output. */
  readonly signal?: NodeJS.Signals
  /** Then it is killed. Default 15 s. */
  readonly timeoutMillis?: number
}

/** Runs a program to its end. */
export function runChild({
  command = process.execPath,
  args,
  env,
  stdio = 'pipe',
  cwd,
  signal,
  timeoutMillis: timeout = 15_000,
}: ChildPlan): Promise<Ended> {
  const start = performance.now()
  const all = { ...process.env, ...env }
  const child = spawn(command, args, { stdio, cwd, env: all, timeout, killSignal: 'SIGKILL' })
  let stdout = ''
  let stderr = ''
  let told = false
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    if (signal === undefined || told || !stdout.includes('ready\n')) return
    told = true
    child.kill(signal)
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, by) => resolve({ code, signal: by, stdout, stderr, elapsed: performance.now() - start }))
  })
}

/** Text of an `import` of a source file of this package, for programs given to `--eval`. */
export function importOf(names: string, path: string): string {
  return `import ${names} from ${JSON.stringify(new URL(`../../../${path}`, import.meta.url).href)}\n`
}

/** Runs an ES module given as text. */
export function runModule(text: string, plan: Omit<ChildPlan, 'args' | 'command'> = {}): Promise<Ended> {
  return runChild({ ...plan, args: ['--input-type=module', '--eval', text] })
}
