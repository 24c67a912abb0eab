export { captureConsole } from '../create/capture-console.ts'
export type { CaptureConsoleOptions, ConsoleCapture, PassthroughOptions, RecordsOptions } from '../console/options.ts'
export type { ConsoleMethod } from '../console/methods.ts'
