export { withFlush, type FlushedLogger, type WithFlushOptions } from './with-flush.ts'
