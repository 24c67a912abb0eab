export { childProcessLogger, type ChildProcessLogger, type DoneListener } from '../create/child-process-logger.ts'
