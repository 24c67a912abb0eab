import { isError } from '../../values/is-error.ts'
import { textOf, LEVEL, SOURCE, SPLAT, type TransformableInfo } from './info.ts'
import { assignRead, readMember } from './safe-info.ts'
import { hasPlaceholder } from './formats/splat.ts'
import { addMembers, setMember } from '../../options/define-member.ts'

/** Members that a logger adds to each record. */
export interface MetaMembers {
  /** The option `defaultMeta`; null if there is none. */
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
export function infoOfMethod(
  level: string,
  args: readonly unknown[],
  metas: MetaMembers,
): TransformableInfo | ErrorInfo {
  if (args.length === 0) return infoOfTexts(level, '', metas)
  if (args.length > 1) return infoOfLog(level, args, metas)
  const [first] = args
  const isInfo =
    (typeof first === 'object' || typeof first === 'function') && first !== null && readMember(first, 'message')
  if (isInfo) return infoOfObject(level, first, metas)
  const info = startInfo(metas, { message: first, level })
  return addDefault(info, metas)
}

/** Builds the info of `logger.log(level, …)`. */
export function infoOfLog(level: string, args: readonly unknown[], metas: MetaMembers): TransformableInfo | ErrorInfo {
  const [message, ...splat] = args
  if (args.length === 1) {
    return typeof message === 'object' && message !== null
      ? infoOfObject(level, message, metas)
      : infoOfTexts(level, message, metas)
  }
  const info = startInfo(metas)
  assignRead(info, metas.defaultMeta, metas.hidesBytes)
  const [meta] = splat
  const isMerged = typeof meta === 'object' && meta !== null && !hasPlaceholder(message)
  const errorTexts = isMerged ? mergeMeta(info, meta, metas) : undefined
  setMember(info, 'level', level)
  setMember(info, 'message', message)
  info[LEVEL] = level
  info[SPLAT] = splat
  if (isError(meta)) info[SOURCE] = meta
  if (errorTexts?.message) info.message = `${textOf(message)} ${textOf(errorTexts.message)}`
  if (errorTexts?.stack) setMember(info, 'stack', errorTexts.stack)
  if (errorTexts?.cause) setMember(info, 'cause', errorTexts.cause)
  return info
}

/** Merges the object that follows a message into the info. Returns the texts of an Error, whose members are not enumerable. */
function mergeMeta(
  info: TransformableInfo,
  meta: object,
  { hidesBytes }: MetaMembers,
): { message: unknown; stack: unknown; cause: unknown } {
  const own: Record<string, unknown> = {}
  assignRead(own, meta, hidesBytes)
  for (const key of Object.keys(own)) setMember(info, key, own[key])
  // Each member is read only once.
  const read = (key: string) => (Object.hasOwn(own, key) ? own[key] : readMember(meta, key))
  return { message: read('message'), stack: read('stack'), cause: read('cause') }
}

/** Builds the info of `logger.log({ level, message, … })`. */
export function infoOfObject(level: string, given: object, metas: MetaMembers): TransformableInfo | ErrorInfo {
  if (isError(given)) return infoOfError(level, given, metas)
  const info = startInfo(metas)
  assignRead(info, given, metas.hidesBytes)
  const splat: unknown = readMember(given, SPLAT)
  if (Array.isArray(splat)) info[SPLAT] = [...(splat as unknown[])]
  info[SOURCE] = readMember(given, SOURCE)
  setMember(info, 'level', level)
  info[LEVEL] = level
  return addDefault(info, metas)
}

function infoOfError(level: string, error: Error, metas: MetaMembers): TransformableInfo | ErrorInfo {
  const own = addDefault({ level, [LEVEL]: level } as TransformableInfo, metas)
  if (metas.childMetas.length === 0) return new ErrorInfo(error, own)
  const info = startInfo(metas)
  assignRead(info, error)
  const read = (key: string) => (Object.hasOwn(own, key) ? own[key] : readMember(error, key))
  const texts = { stack: read('stack'), message: read('message'), cause: read('cause') }
  return addMembers(info, own, texts, { [SOURCE]: error })
}

function infoOfTexts(level: string, message: unknown, metas: MetaMembers): TransformableInfo {
  return addDefault(startInfo(metas, { level, message }), metas)
}

function startInfo(
  metas: MetaMembers,
  fields?: { readonly level: string; readonly message: unknown },
): TransformableInfo {
  const info = {} as TransformableInfo
  for (const meta of metas.childMetas) assignRead(info, meta, metas.hidesBytes)
  if (fields === undefined) return info
  setMember(info, 'level', fields.level)
  setMember(info, 'message', fields.message)
  info[LEVEL] = fields.level
  return info
}

/** Adds `defaultMeta`, which overrides the members of the call, as in winston. */
function addDefault(info: TransformableInfo, { defaultMeta, hidesBytes }: MetaMembers): TransformableInfo {
  if (defaultMeta === null) return info
  assignRead(info, defaultMeta, hidesBytes)
  return info
}
