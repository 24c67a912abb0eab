import { spawn, type StdioOptions } from 'node:child_process'

/** The exit status and output of a child process. */
export interface ChildResult {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
  /** The time from start to exit, in ms. */
  readonly elapsed: number
}

/** Options of a child process. */
export interface ChildOptions {
  readonly command?: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly stdio?: StdioOptions
  readonly cwd?: string
  /** A signal that is sent once the child has written `ready` to standard output. */
  readonly signal?: NodeJS.Signals
  /** The timeout after which it is killed. Default 15 s. */
  readonly timeoutMillis?: number
}

/** Runs a program until it exits. */
export function runChild({
  command = process.execPath,
  args,
  env,
  stdio = 'pipe',
  cwd,
  signal,
  timeoutMillis: timeout = 15_000,
}: ChildOptions): Promise<ChildResult> {
  const start = performance.now()
  const all = { ...process.env, ...env }
  const child = spawn(command, args, { stdio, cwd, env: all, timeout, killSignal: 'SIGKILL' })
  let stdout = ''
  let stderr = ''
  let isSignaled = false
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    if (signal === undefined || isSignaled || !stdout.includes('ready\n')) return
    isSignaled = true
    child.kill(signal)
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, by) => resolve({ code, signal: by, stdout, stderr, elapsed: performance.now() - start }))
  })
}

/** Returns the text of an `import` of a source file of this package, for programs that are passed to `--eval`. */
export function importOf(names: string, path: string): string {
  return `import ${names} from ${JSON.stringify(new URL(`../../../${path}`, import.meta.url).href)}\n`
}

/**
 * Returns the text of an `import` of an entry of the build, such as `sluice/otel`. A process loads it in a fifth of the time of the
 * source, so tests that start many processes use it. `npm test` and `npm run e2e` build first.
 */
export function importOfBuild(names: string, entry: string): string {
  const file = entry === 'sluice' ? 'index' : entry.replace('sluice/', '')
  return `import ${names} from ${JSON.stringify(new URL(`../../../dist/esm/${file}.js`, import.meta.url).href)}\n`
}

/** Runs the text of an ES module. */
export function runModule(text: string, plan: Omit<ChildOptions, 'args' | 'command'> = {}): Promise<ChildResult> {
  return runChild({ ...plan, args: ['--input-type=module', '--eval', text] })
}
