export { withFlush, type FlushedLogger, type WithFlushOptions } from '../create/with-flush.ts'
