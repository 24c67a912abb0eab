/** Where a log call stands in the source. */
export interface Source {
  file?: string | null | undefined
  line?: number | null
  func?: string
}

/** The place from which `method` was called. It takes a stack, which is slow. */
export function callerOf(method: (...args: never[]) => unknown): Source {
  const { stackTraceLimit, prepareStackTrace } = Error
  const source: Source = {}
  try {
    Error.stackTraceLimit = 1
    Error.prepareStackTrace = (_, [site]) => {
      if (site === undefined) return ''
      source.file = site.getFileName()
      source.line = site.getLineNumber()
      const func = site.getFunctionName()
      if (func) source.func = func
      return ''
    }
    const holder: { stack?: string } = {}
    Error.captureStackTrace(holder, method)
    void holder.stack
  } finally {
    Error.stackTraceLimit = stackTraceLimit
    Error.prepareStackTrace = prepareStackTrace
  }
  return source
}
