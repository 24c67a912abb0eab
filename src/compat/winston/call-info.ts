import { isError } from '../../values/is-error.ts'
import { textOf, LEVEL, ERROR_SOURCE, SPLAT, type TransformableInfo } from './info.ts'
import { copyContent, memberOrThrownMarker } from './safe-info.ts'
import { hasPlaceholder } from './formats/splat.ts'
import { addMembers, setMember } from '../../options/define-member.ts'

/** Members that a logger adds to each record. */
export interface MetaMembers {
  /** The option `defaultMeta`; null if it is not set. */
  readonly defaultMeta: object | null
  /** Members of child loggers, outermost first. All other members override them. */
  readonly childMetas: readonly object[]
  /** Returns whether an object is a list of bytes that must be redacted. */
  readonly hidesBytes: (value: object) => boolean
}

/** An Error that was logged by itself, and the members that are added to it. */
export class ErrorInfo {
  /** The Error as it was logged. */
  readonly error: Error
  /** Members that override those of the error. */
  readonly over: TransformableInfo
  constructor(error: Error, over: TransformableInfo) {
    this.error = error
    this.over = over
  }
}

/** Builds the info of `logger.info(…)`, which treats a single argument differently from `logger.log(level, …)`, as in winston. */
export function infoOfMethodCall(
  level: string,
  args: readonly unknown[],
  metas: MetaMembers,
): TransformableInfo | ErrorInfo {
  if (args.length === 0) return infoOfMessage(level, '', metas)
  if (args.length > 1) return infoOfLogCall(level, args, metas)
  const [first] = args
  const isInfo =
    (typeof first === 'object' || typeof first === 'function') &&
    first !== null &&
    memberOrThrownMarker(first, 'message')
  if (isInfo) return infoOfObject(level, first, metas)
  const info = startInfo(metas, { message: first, level })
  return addDefaultMeta(info, metas)
}

/** Builds the info of `logger.log(level, …)`. */
export function infoOfLogCall(
  level: string,
  args: readonly unknown[],
  metas: MetaMembers,
): TransformableInfo | ErrorInfo {
  const [message, ...splat] = args
  if (args.length === 1) {
    return typeof message === 'object' && message !== null
      ? infoOfObject(level, message, metas)
      : infoOfMessage(level, message, metas)
  }
  const info = startInfo(metas)
  copyContent(info, metas.defaultMeta, metas.hidesBytes)
  const [meta] = splat
  const mergesMeta = typeof meta === 'object' && meta !== null && !hasPlaceholder(message)
  const errorTexts = mergesMeta ? mergeMeta(info, meta, metas) : undefined
  setMember(info, 'level', level)
  setMember(info, 'message', message)
  info[LEVEL] = level
  info[SPLAT] = splat
  if (isError(meta)) info[ERROR_SOURCE] = meta
  if (errorTexts?.message) info.message = `${textOf(message)} ${textOf(errorTexts.message)}`
  if (errorTexts?.stack) setMember(info, 'stack', errorTexts.stack)
  if (errorTexts?.cause) setMember(info, 'cause', errorTexts.cause)
  return info
}

/**
 * Merges the object that follows a message into the info. Returns the members that the caller adds again, because those of an Error are
 * not enumerable.
 */
function mergeMeta(
  info: TransformableInfo,
  meta: object,
  { hidesBytes }: MetaMembers,
): { message: unknown; stack: unknown; cause: unknown } {
  const copied: Record<string, unknown> = {}
  copyContent(copied, meta, hidesBytes)
  for (const key of Object.keys(copied)) setMember(info, key, copied[key])
  // Each member is read only once.
  const read = (key: string) => (Object.hasOwn(copied, key) ? copied[key] : memberOrThrownMarker(meta, key))
  return { message: read('message'), stack: read('stack'), cause: read('cause') }
}

/** Builds the info of `logger.log({ level, message, … })`. */
export function infoOfObject(level: string, source: object, metas: MetaMembers): TransformableInfo | ErrorInfo {
  if (isError(source)) return infoOfError(level, source, metas)
  const info = startInfo(metas)
  copyContent(info, source, metas.hidesBytes)
  const splat: unknown = memberOrThrownMarker(source, SPLAT)
  if (Array.isArray(splat)) info[SPLAT] = [...(splat as unknown[])]
  info[ERROR_SOURCE] = memberOrThrownMarker(source, ERROR_SOURCE)
  setMember(info, 'level', level)
  info[LEVEL] = level
  return addDefaultMeta(info, metas)
}

/** Builds the info of an Error that was logged by itself. As in winston, a child logger copies the Error to a plain object. */
function infoOfError(level: string, error: Error, metas: MetaMembers): TransformableInfo | ErrorInfo {
  const members = addDefaultMeta({ level, [LEVEL]: level } as TransformableInfo, metas)
  if (metas.childMetas.length === 0) return new ErrorInfo(error, members)
  const info = startInfo(metas)
  copyContent(info, error)
  const read = (key: string) => (Object.hasOwn(members, key) ? members[key] : memberOrThrownMarker(error, key))
  const texts = { stack: read('stack'), message: read('message'), cause: read('cause') }
  return addMembers(info, members, texts, { [ERROR_SOURCE]: error })
}

function infoOfMessage(level: string, message: unknown, metas: MetaMembers): TransformableInfo {
  return addDefaultMeta(startInfo(metas, { level, message }), metas)
}

/** Starts an info with the members of child loggers and, if given, level and message. */
function startInfo(
  metas: MetaMembers,
  fields?: { readonly level: string; readonly message: unknown },
): TransformableInfo {
  const info = {} as TransformableInfo
  for (const meta of metas.childMetas) copyContent(info, meta, metas.hidesBytes)
  if (fields === undefined) return info
  setMember(info, 'level', fields.level)
  setMember(info, 'message', fields.message)
  info[LEVEL] = fields.level
  return info
}

/** Adds the members of `defaultMeta`. As in winston, they override those of the call. */
function addDefaultMeta(info: TransformableInfo, { defaultMeta, hidesBytes }: MetaMembers): TransformableInfo {
  if (defaultMeta === null) return info
  copyContent(info, defaultMeta, hidesBytes)
  return info
}
