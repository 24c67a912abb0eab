/** The source location of a log call. */
export interface SourceLocation {
  file?: string | null | undefined
  line?: number | null
  func?: string
}

/** Returns the source location of the call to `method`. Captures a stack trace, which is slow. */
export function callerOf(method: (...args: never[]) => unknown): SourceLocation {
  const { stackTraceLimit, prepareStackTrace } = Error
  let source: SourceLocation = {}
  try {
    Error.stackTraceLimit = 1
    Error.prepareStackTrace = (_, [site]) => {
      if (site === undefined) return ''
      const func = site.getFunctionName()
      source = { file: site.getFileName(), line: site.getLineNumber(), ...(func ? { func } : {}) }
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
