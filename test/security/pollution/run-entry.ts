import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('entry-program.mjs', import.meta.url))
const root = fileURLToPath(new URL('../../..', import.meta.url))
const reports = new URL('../../../docs/api/', import.meta.url)

export type Kind = 'text' | 'flag' | 'function' | 'object' | 'hidden' | 'throwing'
export type Prototype = 'object' | 'array' | 'function'

/** What is put on a prototype, when, and which entry of which build is used then. */
export interface Plan {
  readonly entry: string
  /** Where temporary files go. */
  readonly directory: string
  /** Default: the ES modules of the build. `source`: the files in `src`. */
  readonly format?: 'esm' | 'cjs' | 'source'
  readonly when: 'before' | 'after' | 'never'
  readonly on?: Prototype
  readonly kind?: Kind
  readonly keys: readonly string[]
}
/** A member of an interface, class or module in a report. */
const memberName = /^\s+(?:(?:readonly|static|protected|get|set) )*["']?([A-Za-z_$][\w$]*)["']?\??(?=[:(<;])/gm

/** The entries of the package, as their files are called. */
const { exports } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  exports: Record<string, unknown>
}
export const entries = Object.keys(exports)
  .filter((path) => path !== './package.json')
  .map((path) => (path === '.' ? 'index' : path.slice(2)))

/** Every name in the public API of any entry: a new option is covered as soon as it is in its report. */
const publicNames = readdirSync(reports)
  .filter((file) => file.endsWith('.api.md'))
  .flatMap((file) => [...readFileSync(new URL(file, reports), 'utf8').matchAll(memberName)].map(([, name]) => name!))

/** Descriptors of properties, hooks of the language, indexes, and a name that means nothing. */
const languageNames = ['x', 'value', 'writable', 'enumerable', 'configurable', 'toJSON', '0', '1', '2']

/** Names that Node itself reads from objects of its own: with these no promise holds. The control fails where one is missing. */
const readByNode = new Set(
  `then path mode encoding fetch headers body handle fd signal removeListener ready set get auth host family method write destroy
  error`.split(/\s+/),
)
export const names = [...new Set([...publicNames, ...languageNames])].filter(
  (name) => !readByNode.has(name) && !(name in Object.prototype),
)

/** Names that Node reads from the objects in which its bindings report the error of a system call, and sets in its errors. */
export const namesOfNodeErrors = [
  'errno',
  'error',
  'code',
  'syscall',
  'path',
  'dest',
  'message',
  'stack',
  'name',
  'cause',
] as const
/** All names, those with which Node itself fails included. */
export const allNames = [...new Set([...publicNames, ...languageNames, ...readByNode, ...namesOfNodeErrors])].filter(
  (name) => !(name in Object.prototype),
)

/** Names that Node also reads without looking at what they hold: where that throws, Node cannot work. */
const lookedAtByNode = new Set(
  `name done destination keepalive keepAlive writable enumerable value configurable fatal message stack 0 1 2`.split(
    /\s+/,
  ),
)
export const throwingNames = names.filter((name) => !lookedAtByNode.has(name))

/** What came of a plan. */
export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  readonly seen: string
}

/** Runs an entry in a process of its own. */
export function runEntry(plan: Plan): Promise<Outcome> {
  const argument = { root, format: 'esm', on: 'object', kind: 'text', ...plan }
  const child = spawn(process.execPath, [program, JSON.stringify(argument)], {
    env: { PATH: process.env['PATH'], OTEL_LOGS_EXPORTER: 'console' },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    timeout: 30_000,
    killSignal: 'SIGKILL',
  })
  const texts = ['', '', '', '']
  for (const at of [1, 2, 3]) child.stdio[at]!.on('data', (chunk: Buffer) => (texts[at] += chunk.toString('latin1')))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      const [, stdout, stderr, seen] = texts.map(repeatable) as [string, string, string, string]
      resolve({ code, stdout, stderr, seen })
    })
  })
}

/** Without times, ids and ports, which are others in each run. */
function repeatable(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|\b1[67]\d{11}\b/g, 'time')
    .replaceAll(/\\?"(?:pid|durationMs|exportMillis)\\?":[\d.]+/g, 'number')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'uuid')
}
