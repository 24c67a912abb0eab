import { readdirSync, readFileSync } from 'node:fs'

const reports = new URL('../../../docs/api/', import.meta.url)

/** A member of an interface, class or module in a report. */
const memberName = /^\s+(?:(?:readonly|static|protected|get|set) )*["']?([A-Za-z_$][\w$]*)["']?\??(?=[:(<;])/gm

/** The entries of the package, by file name. */
const { exports } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  exports: Record<string, unknown>
}
export const entries = Object.keys(exports)
  .filter((path) => path !== './package.json')
  .map((path) => (path === '.' ? 'index' : path.slice(2)))

/** Every name in the public API of any entry. A new option is included when its API report is updated. */
const publicNames = readdirSync(reports)
  .filter((file) => file.endsWith('.api.md'))
  .flatMap((file) => [...readFileSync(new URL(file, reports), 'utf8').matchAll(memberName)].map(([, name]) => name!))

/** Members of property descriptors, hooks of the language, indexes, and a name without a meaning. */
const languageNames = ['x', 'value', 'writable', 'enumerable', 'configurable', 'toJSON', '0', '1', '2']

/** Names that Node itself reads from its own objects, so nothing can be guaranteed. The control scenario fails if one is missing. */
const readByNode = new Set(
  `then path mode encoding fetch headers body handle fd signal removeListener ready set get auth host family method write destroy
  error socket`.split(/\s+/),
)
export const names = [...new Set([...publicNames, ...languageNames])].filter(
  (name) => !readByNode.has(name) && !(name in Object.prototype),
)

/** Names that Node reads from the error contexts of its bindings and sets in its errors. */
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
/** All names, including those with which Node itself fails. */
export const allNames = [...new Set([...publicNames, ...languageNames, ...readByNode, ...namesOfNodeErrors])].filter(
  (name) => !(name in Object.prototype),
)

/** Names that Node reads without using their values: Node fails when such a read throws. */
const lookedAtByNode = new Set(
  `name done destination keepalive keepAlive writable enumerable value configurable fatal message stack origin 0 1 2`.split(
    /\s+/,
  ),
)
export const throwingNames = names.filter((name) => !lookedAtByNode.has(name))
