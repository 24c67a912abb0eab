import type { Instance, Said } from './instance.ts'

/** Of whose call it is wanted what it said: code of users that is asked for a line may log. */
let current: { readonly logger: Instance; readonly call: Said } | undefined

/** Where a logger's line tells what it says; undefined where nobody wants to know. */
export function logCallFor(logger: Instance): Said | undefined {
  return current?.logger === logger ? current.call : undefined
}

/** The line of a call, and what it said. What a serializer or formatter kept back is not in it. */
export function lineAndCall(logger: Instance, makeLine: () => string): { readonly line: string; readonly call: Said } {
  const outer = current
  const call: Said = { attributes: {}, error: undefined, message: undefined }
  current = { logger, call }
  try {
    return { line: makeLine(), call }
  } finally {
    current = outer
  }
}
