import { member } from '../../../options/own-members.ts'
import { flag } from '../../../options/option-checks.ts'
import { isError } from '../../../values/is-error.ts'
import { LEVEL, MESSAGE, type Format, type TransformableInfo } from '../info.ts'
import { defineFormat } from './format.ts'
import { checkedOptions } from './format-options.ts'
import { addMembers } from '../../../options/define-member.ts'

/** Options of `format.errors()`. */
export interface ErrorsOptions {
  /**
   * Adds the stack.
   *
   * @defaultValue false
   */
  readonly stack?: boolean
  /**
   * Adds the cause.
   *
   * @defaultValue false
   */
  readonly cause?: boolean
}

/** Adds the texts of an Error to the info, if one was logged by itself or as the message. */
export function errors(given?: ErrorsOptions): Format {
  const options = checkedOptions('format.errors', given, { stack: flag, cause: flag })
  return defineFormat((info) => {
    if (isError(info)) return infoOfError(info, options)
    const error = member(info, 'message')
    if (!isError(error)) return info
    return addMembers(info, error, { message: error.message, [MESSAGE]: error.message }, selectedParts(error, options))
  })()
}

function infoOfError(error: TransformableInfo & Error, options: ErrorsOptions): TransformableInfo {
  const level = member(error, 'level')
  return {
    ...(error as object),
    level: level!,
    [LEVEL]: error[LEVEL] ?? level,
    message: error.message,
    [MESSAGE]: error.message,
    ...selectedParts(error, options),
  }
}

function selectedParts(error: Error, options: ErrorsOptions): { stack?: string | undefined; cause?: unknown } {
  const [stack, cause] = [member(error, 'stack'), member(error, 'cause')]
  return { ...(options.stack ? { stack } : {}), ...(options.cause ? { cause } : {}) }
}
