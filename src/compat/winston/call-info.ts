import { isError } from '../../values/is-error.ts'
import { textOf, LEVEL, SOURCE, SPLAT, type TransformableInfo } from './info.ts'
import { assignRead, readMember } from './safe-info.ts'
import { hasPlaceholder } from './formats/splat.ts'
import { addMembers, setMember } from '../../options/define-member.ts'

/** What a logger adds to each record. */
export interface Metas {
  /** The option of that name; null: nothing. */
  readonly defaultMeta: object | null
  /** Of the child loggers, the outermost first: below all else. */
  readonly childMetas: readonly object[]
  /** Whether an object is a list of bytes that must be redacted. */
  readonly hidesBytes: (value: object) => boolean
}

/** An Error that was logged by itself, and what is said with it. */
export class ErrorInfo {
  /** The Error as it was logged. */
  readonly error: Error
  /** What stands over the error's own members. */
  readonly over: TransformableInfo
  constructor(error: Error, over: TransformableInfo) {
    this.error = error
    this.over = over
  }
}

/** The info of `logger.info(…)`: winston reads one argument otherwise than `logger.log(level, …)` does. */
export function infoOfMethod(level: string, args: readonly unknown[], metas: Metas): TransformableInfo | ErrorInfo {
  if (args.length === 0) return infoOfTexts(level, '', metas)
  if (args.length > 1) return infoOfLog(level, args, metas)
  const [first] = args
  const isInfo =
    (typeof first === 'object' || typeof first === 'function') && first !== null && readMember(first, 'message')
  if (isInfo) return infoOfObject(level, first, metas)
  const info = begun(metas, { message: first, level })
  return addDefault(info, metas)
}

/** The info of `logger.log(level, …)`. */
export function infoOfLog(level: string, args: readonly unknown[], metas: Metas): TransformableInfo | ErrorInfo {
  const [message, ...splat] = args
  if (args.length === 1) {
    return typeof message === 'object' && message !== null
      ? infoOfObject(level, message, metas)
      : infoOfTexts(level, message, metas)
  }
  const info = begun(metas)
  assignRead(info, metas.defaultMeta, metas.hidesBytes)
  const [meta] = splat
  const isMerged = typeof meta === 'object' && meta !== null && !hasPlaceholder(message)
  const said = isMerged ? mergedInto(info, meta, metas) : undefined
  setMember(info, 'level', level)
  setMember(info, 'message', message)
  info[LEVEL] = level
  info[SPLAT] = splat
  if (isError(meta)) info[SOURCE] = meta
  if (said?.message) info.message = `${textOf(message)} ${textOf(said.message)}`
  if (said?.stack) setMember(info, 'stack', said.stack)
  if (said?.cause) setMember(info, 'cause', said.cause)
  return info
}

/** Puts what was given beside a message into the info. Returns what Errors say in members that are not enumerated. */
function mergedInto(
  info: TransformableInfo,
  meta: object,
  { hidesBytes }: Metas,
): { message: unknown; stack: unknown; cause: unknown } {
  const own: Record<string, unknown> = {}
  assignRead(own, meta, hidesBytes)
  for (const key of Object.keys(own)) setMember(info, key, own[key])
  // Each is read once.
  const said = (key: string) => (Object.hasOwn(own, key) ? own[key] : readMember(meta, key))
  return { message: said('message'), stack: said('stack'), cause: said('cause') }
}

/** The info of `logger.log({ level, message, … })`. */
export function infoOfObject(level: string, given: object, metas: Metas): TransformableInfo | ErrorInfo {
  if (isError(given)) return infoOfError(level, given, metas)
  const info = begun(metas)
  assignRead(info, given, metas.hidesBytes)
  const splat: unknown = readMember(given, SPLAT)
  if (Array.isArray(splat)) info[SPLAT] = [...(splat as unknown[])]
  info[SOURCE] = readMember(given, SOURCE)
  setMember(info, 'level', level)
  info[LEVEL] = level
  return addDefault(info, metas)
}

function infoOfError(level: string, error: Error, metas: Metas): TransformableInfo | ErrorInfo {
  const own = addDefault({ level, [LEVEL]: level } as TransformableInfo, metas)
  if (metas.childMetas.length === 0) return new ErrorInfo(error, own)
  const info = begun(metas)
  assignRead(info, error)
  const said = (key: string) => (Object.hasOwn(own, key) ? own[key] : readMember(error, key))
  const texts = { stack: said('stack'), message: said('message'), cause: said('cause') }
  return addMembers(info, own, texts, { [SOURCE]: error })
}

function infoOfTexts(level: string, message: unknown, metas: Metas): TransformableInfo {
  return addDefault(begun(metas, { level, message }), metas)
}

function begun(metas: Metas, said?: { readonly level: string; readonly message: unknown }): TransformableInfo {
  const info = {} as TransformableInfo
  for (const meta of metas.childMetas) assignRead(info, meta, metas.hidesBytes)
  if (said === undefined) return info
  setMember(info, 'level', said.level)
  setMember(info, 'message', said.message)
  info[LEVEL] = said.level
  return info
}

/** Here the logger's wins over the call's, as winston has it. */
function addDefault(info: TransformableInfo, { defaultMeta, hidesBytes }: Metas): TransformableInfo {
  if (defaultMeta === null) return info
  assignRead(info, defaultMeta, hidesBytes)
  return info
}
