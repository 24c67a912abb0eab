import type { Log, RequestLogger } from '../../../subjects/subject.ts'

/** The two records of a request. The hooks that call it also exist without logging. */
export interface RequestRecords {
  /** The logger of the server. Undefined without logging. */
  readonly root: RequestLogger | undefined
  /** Returns the logger of the request, which `completed` uses. */
  received(method: string, url: string): RequestLogger | undefined
  completed(logger: RequestLogger | undefined, method: string, url: string, status: number, millis: number): void
  /** The number of records. */
  records(): number
}

/** Logs both records with one logger. */
export function recordsOfOneLogger(log: Log | undefined): RequestRecords {
  const logger: RequestLogger | undefined = log && {
    info: (attributes, message) => log.attributes(message, attributes),
    child: () => logger!,
  }
  return requestRecords(logger, (root) => root)
}

/** Logs both records with a child logger for each request, which has an id and a user. */
export function recordsOfChildren(log: Log | undefined): RequestRecords {
  let requests = 0
  return requestRecords(log?.logger, (root) => root.child(boundOf(requests++)))
}

/** Returns the attributes of the child logger of a request. */
export const boundOf = (request: number) => ({ reqId: `req-${request}`, user: `user-${request % 100}` })

function requestRecords(
  root: RequestLogger | undefined,
  loggerOfRequest: (root: RequestLogger) => RequestLogger,
): RequestRecords {
  let records = 0
  return {
    root,
    received(method, url) {
      if (root === undefined) return undefined
      records++
      const logger = loggerOfRequest(root)
      logger.info({ method, url }, 'request received')
      return logger
    },
    completed(logger, method, url, status, millis) {
      if (logger === undefined) return
      records++
      // Rounded to microseconds, because further digits only make the line longer.
      logger.info({ method, url, status, ms: Math.round(millis * 1_000) / 1_000 }, 'request completed')
    },
    records: () => records,
  }
}
