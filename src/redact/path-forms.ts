import { asKeyExpression, expressionForStars } from './expression-text.ts'
import { isPathFault, parseRedactPath, type RedactPathFault, type RedactSegment } from './path.ts'

/** Reads a path of the option `redact`. */
export type ReadPath = (path: string) => readonly RedactSegment[] | RedactPathFault

/**
 * Parses a path as `parseRedactPath` does, and also rejects the forms of other path languages that would be valid but usually match
 * nothing, such as `$.user.password`. The message of a fault contains what was probably meant, if that is clear. Never throws.
 */
export const readRedactPath: ReadPath = (path) => {
  const message = foreignFormMessage(path)
  return withAdvice(path, message === undefined ? parseRedactPath(path) : { ...foreignFault, message })
}

/** Reads a path as `readRedactPath` does, except that `$` and `@` are names of members, as in pino. Never throws. */
export const readPinoPath: ReadPath = (path) =>
  rootOf(path) === undefined ? readRedactPath(path) : withAdvice(path, parseRedactPath(path))

/** Returns the path that was probably meant by a path in another language; undefined if that is not clear. */
export function suggestedPath(path: string): string | undefined {
  const text = path.trim()
  if (text.length > maxPathLength) return undefined
  return [text, isPointer(text) ? pointerPath(text) : rewrite(text)].find(isValid)
}

/** Returns a path as a string in a program. */
export function quotedPath(path: string): string {
  return /['\\]/.test(path) ? JSON.stringify(path) : `'${path}'`
}

const foreignFault = { code: 'SLUICE_PATH_SYNTAX', position: 0 } as const

/** Returns the error message for a path in another language that can be recognized by its beginning; undefined for any other path. */
function foreignFormMessage(path: string): string | undefined {
  const start = path.trimStart()
  if (asKeyExpression(path.trim()) !== undefined)
    return 'a path is not a regular expression; write the expression in keys'
  if (isPointer(start)) return 'a path is not a JSON Pointer; write user.password'
  const root = rootOf(path)
  if (root !== undefined)
    return `a path has no root ${root}, as JSONPath does; write user.password, or ["${root}"].user.password for a member named ${root}`
  return start.startsWith('.') ? 'a path begins with a name; write password, or **.password for any depth' : undefined
}

/** Returns the `$` or `@` that is the first name of a path, and the root in JSONPath. */
function rootOf(path: string): string | undefined {
  return /^[$@](?=$|[.[])/.exec(path.trim())?.[0]
}

/** The maximum length of a path in a message, in UTF-16 units. */
const maxPathLength = 60

/** Replaces the advice of a fault with what was probably meant, such as another path or `keys`, if that is clear. */
function withAdvice(path: string, parsed: ReturnType<ReadPath>): ReturnType<ReadPath> {
  if (!isPathFault(parsed)) return parsed
  const advice = adviceFor(path.trim())
  return advice === undefined ? parsed : { ...parsed, message: `${parsed.message.split('; ', 1)[0]}; write ${advice}` }
}

/** Returns what to write instead of an invalid path; undefined if that is not clear. */
function adviceFor(text: string): string | undefined {
  if (text.length > maxPathLength) return undefined
  const expression = asKeyExpression(text) ?? expressionForStars(/[^.[\]]*$/.exec(text)![0], '')
  if (expression !== undefined) return `keys: [${expression}]`
  if (/[,;]/.test(text)) {
    const paths = text.split(/[,;]/).map((part) => part.trim())
    return paths.every(isValid) ? `one entry for each path: ${paths.map(quotedPath).join(', ')}` : undefined
  }
  const path = suggestedPath(text)
  const root = rootOf(text)
  if (root !== undefined) {
    const named = `["${root}"]${path?.startsWith('[') ? '' : '.'}${path}`
    return path !== undefined && isValid(named) ? `${path}, or ${named} for a member named ${root}` : undefined
  }
  // A name that contains slashes may be meant, such as `a/b`.
  if (isPointer(text) || !/^[^.[\]*/]+(?:\/[^.[\]*/]+)+$/.test(text)) return path
  const named = `[${JSON.stringify(text)}]`
  if (!isValid(named)) return path
  return `${path === undefined ? '' : `${path}, or `}${named} for that name`
}

/** Rewrites the forms of JSONPath, jq, optional chaining and globs. The result may be invalid. */
function rewrite(text: string): string {
  const quoted = /^(["'`])([^"'`]+)\1$/.exec(text)
  if (quoted !== null) return quoted[2]!
  return withLastBracketClosed(
    text
      .replace(/^[$@](?=$|[.[])/, '')
      .replaceAll(/\?\.(?=\[)/g, '')
      .replaceAll('?.', '.')
      .replaceAll('[]', '[*]')
      .replaceAll(/\[([a-z_]\w*)\]/gi, '.$1')
      .replaceAll('/', '.')
      .replaceAll(/\.{2,}/g, '.**.')
      .replaceAll('.[', '[')
      .replace(/^\./, '')
      .replace(/\.$/, ''),
  )
}

/** Adds the bracket that closes the last one if it is missing. */
function withLastBracketClosed(text: string): string {
  return text.lastIndexOf('[') > text.lastIndexOf(']') ? `${text}]` : text
}

function isPointer(text: string): boolean {
  return /^#?\//.test(text)
}

/** Returns the path of a JSON Pointer (RFC 6901); '' if one of its names is empty. */
function pointerPath(pointer: string): string {
  const names = pointer
    .slice(pointer.indexOf('/') + 1)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  return names.includes('') ? '' : names.map(segmentText).join('').replace(/^\./, '')
}

function segmentText(name: string): string {
  if (/^(?:0|[1-9]\d*)$/.test(name)) return `[${name}]`
  return /^(?:\*{1,2}|[\w:-]+)$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`
}

function isValid(path: string): boolean {
  return foreignFormMessage(path) === undefined && !isPathFault(parseRedactPath(path))
}
