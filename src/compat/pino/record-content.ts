import type { Instance, RecordContent } from './instance.ts'

/** What is collected while a line is built, and for which logger: user code that runs meanwhile may log with other loggers. */
let current: { readonly logger: Instance; readonly content: RecordContent } | undefined

/** Returns the object to which the content of the line that a logger is building is added; undefined if the record is not exported. */
export function contentToExport(logger: Instance): RecordContent | undefined {
  return current?.logger === logger ? current.content : undefined
}

/** Builds a line and collects its content, which does not include members that a serializer or formatter removes. */
export function buildLineAndContent(
  logger: Instance,
  buildLine: () => string,
): { readonly line: string; readonly content: RecordContent } {
  const outer = current
  const content: RecordContent = { attributes: {}, error: undefined, message: undefined }
  current = { logger, content }
  try {
    return { line: buildLine(), content }
  } finally {
    current = outer
  }
}
