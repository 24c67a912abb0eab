import type { Instance, LogCall } from './instance.ts'

/** The call whose content is being collected. It includes its logger, because user code may log while the line is built. */
let current: { readonly logger: Instance; readonly call: LogCall } | undefined

/** Returns the call that the current line of a logger is collected into; undefined if it is not collected. */
export function logCallFor(logger: Instance): LogCall | undefined {
  return current?.logger === logger ? current.call : undefined
}

/** Returns the line of a call and the content of the line. Members removed by a serializer or formatter are not included. */
export function lineAndCall(
  logger: Instance,
  makeLine: () => string,
): { readonly line: string; readonly call: LogCall } {
  const outer = current
  const call: LogCall = { attributes: {}, error: undefined, message: undefined }
  current = { logger, call }
  try {
    return { line: makeLine(), call }
  } finally {
    current = outer
  }
}
