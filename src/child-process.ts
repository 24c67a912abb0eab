export { childProcessLogger, type ChildProcessLogger, type DoneListener } from './child-process-logger.ts'
