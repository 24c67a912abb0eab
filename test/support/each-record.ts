import type { HandledRecord, Handler, HandlerHost } from '../../src/handler/handler.ts'

/** Creates the option `handler` from a function that handles each record. */
export const eachRecord =
  (handle: (record: HandledRecord, next: Handler, host: HandlerHost) => unknown) =>
  (next: Handler, host: HandlerHost): Handler => ({ handle: (record) => handle(record, next, host) as void })
