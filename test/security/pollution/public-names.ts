import { readdirSync, readFileSync } from 'node:fs'

const reports = new URL('../../../docs/api/', import.meta.url)

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
